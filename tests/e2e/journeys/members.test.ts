import { beforeAll, describe, expect, it } from 'vitest';
import { shareSolution } from '../../solution.ts';
import { openSite, PASSWORD } from '../site.ts';
import { screenReader } from './screen-reader.ts';

const site = openSite({ demo: true });
const title = 'A strap for a reader';
const ids = { solution: '', topic: '' };
const emails = { member: '', moderator: '' };

let reader: Awaited<ReturnType<typeof screenReader>>;

beforeAll(async () => {
  const theo = await site.member('Theo');
  const mira = await site.member('Mira');
  emails.member = mira.email;
  emails.moderator = (await site.member('Mona', 'moderator')).email;
  const share = (owner: string, name: string, status: string) =>
    shareSolution(site.service(), { user_id: owner, title: name, status });
  ids.solution = await share(theo.id, title, 'approved');
  const own = await share(mira.id, 'A strap of one’s own', 'approved');
  await site
    .service()
    .from('comments')
    .insert({ solution_id: own, user_id: theo.id, content: 'Which webbing?' })
    .throwOnError();
  const { data } = await site
    .service()
    .from('forum_topics')
    .insert({ title: 'Straps that last', user_id: theo.id })
    .select('id')
    .single()
    .throwOnError();
  ids.topic = data?.id;
  reader = await screenReader(await site.signedIn(emails.member));
});

describe('a member with a keyboard and a screen reader', () => {
  it('signs in with a wrong password, then with the right one', async () => {
    const reader = await screenReader(await site.person());
    await reader.open('/auth');
    await reader.tabTo('textbox "Email"');
    await reader.type(emails.member);
    await reader.tabTo('textbox "Password"');
    await reader.type('a wrong guess');
    await reader.press('Enter');
    await reader.hears('Error');
    await reader.lands('textbox "Password"');
    await reader.use('button "Close"');
    await reader.lands('link "Read API and feeds"');
    await reader.tabTo('textbox "Password"');
    await reader.page.keyboard.press('Control+A');
    await reader.type(PASSWORD);
    expect(await reader.tabTo('button "Show password"')).toContain('not pressed');
    await reader.use('button "Sign In"');
    await reader.hears('Welcome back!');
    await reader.lands('heading "');
    expect(await reader.tabTo('button "Your account')).toContain('collapsed');
  });

  it('likes a solution', async () => {
    await reader.open(`/solutions/${ids.solution}`);
    expect(await reader.tabTo('button "0 likes, like this solution"')).toContain('not pressed');
    await reader.press('Space');
    await reader.lands('button "1 like, like this solution", pressed');
  });

  it('posts a comment, edits it and deletes it', async () => {
    await reader.open(`/solutions/${ids.solution}`);
    await reader.tabTo('textbox "Comment"');
    await reader.type('It held for a year.');
    await reader.use('button "Post comment"');
    await reader.hears('Comment posted successfully');
    await reader.use('button "Edit your comment"');
    await reader.lands('textbox "Edit comment"');
    await reader.page.keyboard.press('Control+A');
    await reader.type('It held for two years.');
    await reader.use('button "Save changes"');
    await reader.hears('Comment updated');
    await reader.lands('button "Edit your comment"');
    await reader.use('button "Delete comment by Mira Test"');
    await reader.inDialog('Delete comment');
    await reader.use('button "Delete"');
    await reader.hears('Comment deleted successfully');
    await expect.poll(reader.focused).not.toBe('nothing');
  });

  it('replies to a topic with the toolbar and the preview', async () => {
    await reader.open(`/forum/${ids.topic}`);
    await reader.tabTo('textbox "Your reply"');
    await reader.type('Webbing');
    await reader.page.keyboard.press('Control+A');
    await reader.back('button "Bold"');
    await reader.press('Enter');
    await reader.lands('textbox "Your reply"');
    expect(await reader.focused()).toContain('**Webbing**');
    expect(await reader.back('button "Preview"')).toContain('not pressed');
    await reader.press('Space');
    await reader.lands('button "Preview", pressed');
    await reader.press('Space');
    await reader.tabTo('textbox "Your reply"');
    await reader.use('button "Post Reply"');
    await reader.hears('Reply posted successfully');
    await reader.lands('textbox "Your reply"');
  });

  it('creates a topic after an error', async () => {
    await reader.open('/forum');
    await reader.use('button "New Topic"');
    await reader.inDialog('New Topic');
    await reader.use('button "Create Topic"');
    await reader.lands('textbox "Title"');
    expect(await reader.focused()).toMatch(/invalid.*described "Please enter a topic title"/);
    await reader.type('A topic by key');
    await reader.tabTo('combobox "Category"');
    await reader.press('ArrowDown');
    await reader.tabTo('textbox "Description"');
    await reader.use('button "Create Topic"');
    await reader.hears('Topic created successfully');
    await reader.lands('heading "A topic by key"');
  });

  it('writes to a member from their page', async () => {
    await reader.open('/members/theo');
    await reader.use('button "Message"');
    await reader.inDialog('Message Theo Test');
    await reader.tabTo('textbox "Subject"');
    await reader.type('Straps');
    await reader.tabTo('textbox "Message"');
    await reader.type('Which webbing do you use?');
    await reader.use('button "Send Message"');
    await reader.hears('Message sent');
    await reader.lands('button "Message"');
  });

  it('reads a notification and marks all as read', async () => {
    await reader.open('/');
    await reader.use('button "Your account, ');
    await reader.go('ArrowDown', 'menuitem "Notifications');
    await reader.press('Enter');
    await reader.lands('heading "Notifications');
    expect(await reader.tabTo('radio "All"')).toContain(', checked');
    await reader.use('button "Mark all read"');
    await reader.hears('All notifications marked as read');
    await expect.poll(reader.focused).not.toBe('nothing');
    expect(await reader.tabTo('switch "Unread only"')).toContain('not checked');
    await reader.tabTo('link "T');
    await reader.press('Enter');
    await reader.lands('heading "A strap of one’s own"');
  });

  it('changes a setting', async () => {
    await reader.open('/settings');
    expect(await reader.tabTo('switch "Allow messages"')).toContain(', checked');
    await reader.press('Space');
    await reader.hears('Settings saved successfully');
    expect(await reader.focused()).toMatch(/^switch "Allow messages", not checked, described/);
  });

  it('edits the profile', async () => {
    await reader.open('/profile');
    await reader.use('button "Edit profile"');
    await reader.lands('heading "Edit profile"');
    await reader.tabTo('textbox "Full name"');
    await reader.page.keyboard.press('Control+A');
    await reader.page.keyboard.press('Delete');
    await reader.use('button "Save Changes"');
    await reader.lands('alert');
    await reader.use('link "');
    await reader.lands('textbox "Full name", invalid');
    await reader.type('Mira Tester');
    await reader.use('button "Save Changes"');
    await reader.hears('Profile updated successfully');
    await reader.lands('heading "Profile"');
  });

  it('begins to share a solution and goes from the errors to the fields', async () => {
    await reader.open('/upload');
    await reader.use('button "Submit for review"');
    await reader.hears('There is a problem');
    await reader.lands('alert');
    await reader.tabTo('link "');
    await reader.press('Enter');
    await reader.lands('textbox "Title", invalid');
    expect(await reader.focused()).toContain('described "');
    await reader.tabTo('textbox "Description", invalid');
  });

  it('suggests a resource', async () => {
    await reader.open('/resources');
    await reader.use('button "Suggest a Resource"');
    await reader.inDialog('Suggest a Resource');
    await reader.tabTo('textbox "Resource name"');
    await reader.type('Webbing tables');
    await reader.press('Enter');
    await reader.hears('Validation error');
    await reader.lands('textbox "URL", invalid');
    await reader.type('https://webbing.example/tables');
    await reader.tabTo('textbox "Description"');
    await reader.type('Strengths of webbing for those who sew straps themselves.');
    await reader.tabTo('combobox "Category"');
    await reader.press('ArrowDown');
    await reader.use('button "Submit Suggestion"');
    await reader.hears('Suggestion submitted');
    await reader.lands('button "Suggest a Resource"');
  });
});

describe('a moderator with a keyboard and a screen reader', () => {
  it('rejects one solution of the queue and approves one', async () => {
    const page = await site.signedIn(emails.moderator);
    const reader = await screenReader(page);
    await reader.open('/admin');
    expect(await reader.tabTo('tab "Storage Dashboard"')).toContain('selected');
    await reader.press('ArrowDown');
    // Journeys before this one may have added to it.
    await expect.poll(reader.focused).toMatch(/^tab "Review Queue \d+", selected/);
    await page.waitForURL(/item=/);
    await reader.press('ArrowDown');
    await reader.lands('tab "Pending Solutions 2", selected');
    await reader.tabTo('button "Solution ');
    await reader.use('button "Reject"');
    await reader.inDialog('Reject Solution');
    await reader.lands('textbox "Reason"');
    await reader.use('button "Reject Solution"');
    await reader.tabTo('textbox "Reason", invalid');
    await reader.type('Please add measurements.');
    await reader.use('button "Reject Solution"');
    await reader.hears('Solution Rejected');
    // The dialog closes when the next case is there.
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(reader.focused).not.toBe('nothing');
    await reader.use('button "Approve"');
    await reader.hears('Please complete the checklist before you approve');
    await reader.lands('checkbox "');
    expect(await reader.focused()).toContain('invalid');
    await reader.press('Space');
    for (const _ of [1, 2, 3]) {
      await reader.tabTo('checkbox "');
      await reader.press('Space');
    }
    await reader.use('button "Approve"');
    await reader.hears('Solution Approved');
    await expect.poll(reader.focused).not.toBe('nothing');
  });
});
