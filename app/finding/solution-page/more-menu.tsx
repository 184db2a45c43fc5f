import { type ReactElement, type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { authorName } from '#app/frame/members/names.ts';
import { USED_IN_CLINIC } from '#app/people/collections/data.ts';
import { useUsedInClinic } from '#app/people/collections/save-button.tsx';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember, useViewer } from '#app/session.ts';
import { narrowerThan } from '#app/solution/audience/data.ts';
import { downloadAll } from '#app/solution/citing/download-all.ts';
import { partsToWarnOf } from '#app/solution/safety-notices/parts-to-warn-of.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { audienceLabel } from '#app/solution/solutions/value-lists.ts';
import { ConfirmDeletion } from '#app/solution/withdrawals/delete-solution.tsx';
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '#app/ui/controls/menu.tsx';
import { knownText } from '#app/ui/languages/known-text.ts';
import { lazyDialog } from '#app/ui/states/region.tsx';

const CiteDialog = lazyDialog(() => import('#app/solution/citing/cite-dialog.tsx'), 'CiteDialog');
const FollowDialog = lazyDialog(() => import('#app/people/follows/follow-dialog.tsx'), 'FollowDialog');
const NarrowDialog = lazyDialog(() => import('#app/solution/audience/narrow-dialog.tsx'), 'NarrowDialog');
const PartNoticeDialog = lazyDialog(
  () => import('#app/solution/safety-notices/part-notice-dialog.tsx'),
  'PartNoticeDialog',
);
const ReportCaseDialog = lazyDialog(
  () => import('#app/solution/safety-notices/report-case-dialog.tsx'),
  'ReportCaseDialog',
);
const SafetyDialog = lazyDialog(
  () => import('#app/solution/safety-notices/safety-dialog.tsx'),
  'SafetyDialog',
);
const SaveDialog = lazyDialog(() => import('#app/people/collections/save-dialog.tsx'), 'SaveDialog');

type Opened = 'cite' | 'follow' | 'narrow' | 'part' | 'report' | 'safety' | 'save' | 'delete';

interface MoreMenuProps {
  /** The button that was pressed, and is the menu's from now on. */
  trigger: ReactElement;
  solution: Solution;
}

/** What can be done with a solution beside liking, saving and sharing it: by every reader, and by its author and moderators. */
export function MoreMenu({ trigger, solution }: MoreMenuProps) {
  const { id, title, status, version, versions, notices, audience, revises } = solution;
  const navigate = useNavigate();
  const signInFirst = useRequireSignIn();
  const member = useMember();
  const viewer = useViewer();
  const [opened, setOpened] = useState<Opened>();
  const used = useUsedInClinic(solution, () => setOpened('save'));
  const close = () => setOpened(undefined);
  const isPublic = status === 'approved';
  const isAuthor = member != null && member.id === solution.user_id;
  const isModerator = viewer?.isModerator ?? false;
  const published = versions.find((one) => one.version === version)?.published_at;
  const notice = notices.find(({ ended_at }) => !ended_at);
  const afterSignIn = (dialog: Opened, ...refusal: Parameters<typeof signInFirst>) => {
    if (member) return setOpened(dialog);
    signInFirst(...refusal);
  };

  return (
    <>
      <Menu trigger={trigger} defaultOpen isSheet>
        {isPublic && member && (
          <MenuItem role="menuitemcheckbox" aria-checked={used.isUsed} onSelect={used.toggle}>
            {knownText(USED_IN_CLINIC)}
            {used.isUsed && <span className="ms-auto icon icon-check" />}
          </MenuItem>
        )}
        {isPublic && (
          <MenuItem onSelect={() => afterSignIn('follow', 'Please sign in to follow')}>
            Follow solution, author or tags
          </MenuItem>
        )}
        {isPublic && member && <Page to={`/cpd?solution=${id}`}>Add to CPD record</Page>}
        {isPublic && published && <MenuItem onSelect={() => setOpened('cite')}>Cite this</MenuItem>}
        {isPublic && (
          <MenuItem onSelect={() => void downloadAll('solution', id, audience === 'public')}>
            Download all
          </MenuItem>
        )}
        <MenuItem onSelect={printAfterMenu}>Print</MenuItem>
        {isPublic && <Page to={`/solutions/${id}/translate`}>Translate</Page>}
        {isPublic && <Page to={`/upload?based-on=${id}`}>Build on this solution</Page>}
        {isPublic && (isAuthor || isModerator) && (
          <>
            <MenuSeparator />
            <MenuGroup label={isAuthor ? 'Your solution' : 'For moderators'}>
              {isAuthor && <Page to={`/upload?solution=${id}`}>Edit</Page>}
              {isAuthor && !solution.licence && (
                <Page to={`/upload?solution=${id}`}>Choose a licence for texts and images</Page>
              )}
              {isAuthor && narrowerThan(audience).length > 0 && (
                <MenuItem onSelect={() => setOpened('narrow')}>
                  Who can see it: {audienceLabel(audience)}
                </MenuItem>
              )}
              <MenuItem onSelect={() => setOpened('safety')}>
                {notice ? 'Change the safety notice' : 'Add a safety notice'}
              </MenuItem>
              {isModerator && partsToWarnOf(solution).length > 0 && (
                <MenuItem onSelect={() => setOpened('part')}>Safety notice on a part</MenuItem>
              )}
            </MenuGroup>
          </>
        )}
        <MenuSeparator />
        {isPublic && solution.media.length > 0 && (
          <Page to={`/solutions/${id}/removal-request`}>Request removal of an image</Page>
        )}
        {!isAuthor && (
          <MenuItem
            onSelect={() =>
              afterSignIn('report', 'Please sign in to report content', 'Authentication required')
            }
          >
            Report solution
          </MenuItem>
        )}
        {(isAuthor || isModerator) && !revises && (
          <MenuItem className="text-red-ink" onSelect={() => setOpened('delete')}>
            Delete solution
          </MenuItem>
        )}
      </Menu>
      {opened === 'cite' && published && (
        <CiteDialog
          cited={{
            id,
            title,
            version,
            safetyKind: solution.safety_kind,
            author: authorName(solution.user_id, solution.author),
            publishedAt: published,
          }}
          onClose={close}
        />
      )}
      {opened === 'delete' && (
        <ConfirmDeletion
          id={id}
          isAuthor={isAuthor}
          isPublished={version > 0}
          onDeleted={() => void navigate('/browse')}
          onClose={close}
        />
      )}
      {opened === 'narrow' && <NarrowDialog solution={solution} onClose={close} />}
      {member && opened === 'follow' && (
        <FollowDialog memberId={member.id} solution={solution} onClose={close} />
      )}
      {opened === 'part' && <PartNoticeDialog solution={solution} onClose={close} />}
      {member && opened === 'report' && (
        <ReportCaseDialog
          kind="solution"
          title="Report solution"
          contentId={id}
          reporterId={member.id}
          onClose={close}
        />
      )}
      {member && opened === 'save' && <SaveDialog userId={member.id} solution={solution} onClose={close} />}
      {member && opened === 'safety' && (
        <SafetyDialog
          solution={solution}
          memberId={member.id}
          mayChange={isModerator || !notice || notice.user_id === member.id}
          onClose={close}
        />
      )}
    </>
  );
}

/** Waits until the menu is gone, which would be on the paper. */
const printAfterMenu = () => void setTimeout(() => window.print());

/** An entry that leads to another page. */
const Page = ({ to, children }: { to: string; children: ReactNode }) => (
  <MenuItem asChild>
    <Link to={to}>{children}</Link>
  </MenuItem>
);
