// @module-tag whole

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
  await site.insert('comments', { solution_id: own, user_id: theo.id, content: 'Which webbing?' });
  ids.topic = await site.insert('forum_topics', { title: 'Straps that last', user_id: theo.id });
  reader = await screenReader(await site.signedIn(emails.member));
});

describe('a member with a keyboard and a screen reader', () => {
  it('signs in with a wrong password, then with the right one', async () => {
    const reader = await screenReader(await site.person());
    await reader.open('/auth');
    await reader.write('textbox "Email"', emails.member);
    await reader.write('textbox "Password"', 'a wrong guess');
    await reader.press('Enter');
    await reader.hears('Error');
    await reader.lands('textbox "Password"');
    await reader.useToLand('button "Close"', 'link "support@localhost"');
    await reader.tabTo('textbox "Password"');
    await reader.page.keyboard.press('Control+A');
    await reader.type(PASSWORD);
    expect(await reader.tabTo('button "Show password"')).toContain('not pressed');
    await reader.useToHear('button "Sign In"', 'Welcome back!');
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
    await reader.use('button "Post comment"');
    await reader.lands('textbox "Comment", invalid');
    await reader.write('textbox "Comment", invalid', 'It held for a year.');
    await reader.useToHear('button "Post comment"', 'Comment posted successfully');
    await reader.useToLand('button "Edit your comment"', 'textbox "Edit comment"');
    await reader.page.keyboard.press('Control+A');
    await reader.type('It held for two years.');
    await reader.useToHear('button "Save changes"', 'Comment updated');
    await reader.lands('button "Edit your comment"');
    await reader.useToOpen('button "Delete comment by Mira Test"', 'Delete comment');
    await reader.useToHear('button "Delete"', 'Comment deleted successfully');
    await expect.poll(reader.focused).not.toBe('nothing');
  });

  it('replies to a topic with the toolbar and the preview', async () => {
    await reader.open(`/forum/${ids.topic}`);
    await reader.write('textbox "Your reply"', 'Webbing');
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
    await reader.useToHear('button "Post reply"', 'Reply posted successfully');
    await reader.lands('textbox "Your reply"');
  });

  it('creates a topic after an error', async () => {
    await reader.open('/forum');
    await reader.useToOpen('button "New Topic"', 'New Topic');
    await reader.useToLand('button "Create topic"', 'textbox "Title"');
    expect(await reader.focused()).toMatch(/invalid.*described "Please enter a topic title"/);
    await reader.type('A topic by key');
    await reader.tabTo('combobox "Category"');
    await reader.press('ArrowDown');
    await reader.tabTo('textbox "Description"');
    await reader.useToHear('button "Create topic"', 'Topic created successfully');
    await reader.lands('heading "A topic by key"');
  });

  it('writes to a member from their page', async () => {
    await reader.open('/members/theo');
    await reader.useToOpen('button "Message"', 'Message Theo Test');
    await reader.write('textbox "Subject"', 'Straps');
    await reader.write('textbox "Message"', 'Which webbing do you use?');
    await reader.useToHear('button "Send message"', 'Message sent');
    await reader.lands('button "Message"');
  });

  it('reads a notification and marks all as read', async () => {
    await reader.open('/');
    await reader.use('button "Your account, ');
    await reader.go('ArrowDown', 'menuitem "Notifications');
    await reader.press('Enter');
    await reader.lands('heading "Notifications');
    expect(await reader.tabTo('radio "All"')).toContain(', checked');
    await reader.useToHear('button "Mark all read"', 'All notifications marked as read');
    await expect.poll(reader.focused).not.toBe('nothing');
    expect(await reader.tabTo('switch "Unread only"')).toContain('not checked');
    await reader.use('link "T');
    await reader.lands('heading "A strap of one’s own"');
  });

  it('changes a setting', async () => {
    await reader.open('/settings');
    expect(await reader.tabTo('switch "Allow messages"')).toContain(', checked');
    await reader.press('Space');
    expect(await reader.focused()).toMatch(/^switch "Allow messages", not checked, described/);
    await reader.useToHear('button "Save Changes"', 'Settings saved successfully');
  });

  it('edits the profile', async () => {
    await reader.open('/profile');
    await reader.useToLand('button "Edit profile"', 'heading "Edit profile"');
    await reader.tabTo('textbox "Full name"');
    await reader.page.keyboard.press('Control+A');
    await reader.page.keyboard.press('Delete');
    await reader.useToLand('button "Save Changes"', 'alert');
    await reader.useToLand('link "', 'textbox "Full name", invalid');
    await reader.type('Mira Tester');
    await reader.useToHear('button "Save Changes"', 'Profile updated successfully');
    await reader.lands('heading "Profile"');
  });

  it('begins to share a solution and goes from the errors to the fields', async () => {
    await reader.open('/upload');
    await reader.useToHear('button "Submit for review"', 'There is a problem');
    await reader.lands('alert');
    await reader.use('link "');
    await reader.lands('textbox "Title", invalid');
    expect(await reader.focused()).toContain('described "');
    await reader.tabTo('textbox "Description", invalid');
  });

  it('suggests a resource', async () => {
    await reader.open('/resources');
    await reader.useToOpen('button "Suggest a resource"', 'Suggest a resource');
    await reader.write('textbox "Resource name"', 'Webbing tables');
    await reader.press('Enter');
    await reader.hears('Validation error');
    await reader.lands('textbox "URL", invalid');
    await reader.type('https://webbing.example/tables');
    await reader.write('textbox "Description"', 'Strengths of webbing for those who sew straps themselves.');
    await reader.tabTo('combobox "Category"');
    await reader.press('ArrowDown');
    await reader.useToHear('button "Submit suggestion"', 'Suggestion submitted');
    await reader.lands('button "Suggest a resource"');
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
    await expect.poll(reader.focused).toMatch(/^tab "Review queue \d+", selected/);
    await page.waitForURL(/item=/);
    await reader.press('ArrowDown');
    await reader.lands('tab "Pending Solutions 2", selected');
    await reader.tabTo('button "Solution ');
    await reader.useToOpen('button "Reject"', 'Reject Solution');
    await reader.lands('textbox "Reason"');
    await reader.use('button "Reject Solution"');
    await reader.write('textbox "Reason", invalid', 'Please add measurements.');
    await reader.useToHear('button "Reject Solution"', 'Solution Rejected');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    // What waits next is said.
    await reader.lands('region "');
    await reader.useToHear('button "Approve"', 'Please complete the checklist before you approve');
    await reader.lands('checkbox "');
    expect(await reader.focused()).toContain('invalid');
    await reader.press('Space');
    for (const _ of [1, 2, 3]) {
      await reader.tabTo('checkbox "');
      await reader.press('Space');
    }
    await reader.useToHear('button "Approve"', 'Solution Approved');
    await expect.poll(reader.focused).not.toBe('nothing');
  });
});
