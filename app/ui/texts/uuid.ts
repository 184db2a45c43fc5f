const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Whether a part of an address has the form of a row's id. */
export const isUuid = (id: string | null): id is string => id !== null && UUID.test(id);
