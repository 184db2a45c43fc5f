import { lazyDialog } from '#app/ui/states/region.tsx';

/** The question before something is deleted; its code is loaded when it is first asked. */
export const ConfirmDialog = lazyDialog(() => import('./confirm-dialog.tsx'), 'ConfirmDialog');
