/** Whether a page is asked for by a device that saves data, or over a very slow connection; the page cache says both so. */
export const asksToSaveData = ({ headers }: Request): boolean => headers.get('save-data') === 'on';
