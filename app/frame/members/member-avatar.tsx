import type { ComponentProps } from 'react';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import { Avatar } from '#app/ui/surfaces/avatar.tsx';

interface MemberAvatarProps extends Omit<ComponentProps<typeof Avatar>, 'src'> {
  member: { avatar_url: string | null } | null | undefined;
}

/** The portrait that a member chose, or their initials. */
export function MemberAvatar({ member, ...rest }: MemberAvatarProps) {
  const fileUrl = useFileUrl();
  return <Avatar {...rest} src={member?.avatar_url ? fileUrl(member.avatar_url) : null} />;
}
