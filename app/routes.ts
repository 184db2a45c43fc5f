import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('home/home-page.tsx'),
  route('browse', 'solutions/browse-page.tsx'),
  route('solutions/:id', 'solutions/solution-page.tsx'),
  route('solution/:id', 'solutions/solution-page.tsx', { id: 'solution' }),
  route('solutions/:id/qr.svg', 'solutions/qr-code.ts'),
  route('solutions/:id/card.png', 'solutions/preview-card.tsx'),
  route('preview.png', 'home/preview-card.tsx'),
  route('upload', 'solutions/share-page.tsx'),
  route('forum', 'forum/forum-page.tsx'),
  route('forum/:id', 'forum/topic-page.tsx'),
  route('auth', 'account/auth-page.tsx'),
  route('complete-profile', 'account/complete-profile-page.tsx'),
  route('profile', 'profiles/profile-page.tsx'),
  route('members/:username', 'profiles/member-page.tsx'),
  route('messages', 'messages/messages-page.tsx'),
  route('messages/:memberId', 'messages/conversation-page.tsx'),
  route('notifications', 'notifications/notifications-page.tsx'),
  route('unsubscribe', 'notifications/unsubscribe-page.tsx'),
  route('admin', 'moderation/admin-page.tsx'),
  route('*', 'layout/not-found-page.tsx'),
] satisfies RouteConfig;
