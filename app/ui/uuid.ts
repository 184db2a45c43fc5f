const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Whether a part of an address can be the id of a row at all. */
export const isUuid = (id: string | null): id is string => id !== null && UUID.test(id);
