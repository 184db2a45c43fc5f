import type { StoredFile } from './data.ts';

export const kinds = ['Full size', 'Compressed', 'Videos', 'Thumbnails'] as const;
export type Kind = (typeof kinds)[number];
export type ByKind = Record<Kind, number>;

const day = 86_400_000;
const GB = 1024 ** 3;

/** The capacity of the next tier. */
export const proTier = 100 * GB;

/** Stands for "no end in sight" in `daysRemaining`. */
const FOREVER = 999;

/** The kind of a stored file by its name, which says for what it was made. */
export function kindOf(path: string): Kind {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/\.(mp4|webm)$/.test(name)) return 'Videos';
  if (name.startsWith('card.')) return 'Compressed';
  if (name.startsWith('thumb.') || name.startsWith('poster.')) return 'Thumbnails';
  return 'Full size';
}

const emptyByKind = (): ByKind => ({ 'Full size': 0, Compressed: 0, Videos: 0, Thumbnails: 0 });

/** The bytes of all kinds together. */
export const sum = (sizes: ByKind) => kinds.reduce((total, kind) => total + sizes[kind], 0);

/**
 * How long the free space lasts when as much is uploaded as in the last seven days.
 *
 * @returns whole days; 999 when nothing was uploaded
 */
export function daysRemaining(used: number, quota: number, lastWeek: number): number {
  if (lastWeek <= 0) return FOREVER;
  return Math.max(0, Math.floor((quota - used) / (lastWeek / 7)));
}

/** "9", or "365+" above a year. */
export const formatDays = (days: number) => (days > 365 ? '365+' : String(days));

export type Level = 'fine' | 'warning' | 'critical';

/** Warning from 70 % on, critical from 90 %. */
export function levelOf(used: number, quota: number): Level {
  const share = quota > 0 ? used / quota : 1;
  return share >= 0.9 ? 'critical' : share >= 0.7 ? 'warning' : 'fine';
}

const startOfDay = (time: number) => Math.floor(time / day) * day;

/** The uploads on each of the last days, by universal time, the oldest first. */
export function uploadsByDay(files: readonly StoredFile[], days: number, now: number) {
  const first = startOfDay(now) - (days - 1) * day;
  const rows = Array.from({ length: days }, (_, index) => ({
    date: new Date(first + index * day).toISOString(),
    sizes: emptyByKind(),
  }));
  for (const { path, size, createdAt } of files) {
    const row = rows[Math.floor((Date.parse(createdAt) - first) / day)];
    if (row) row.sizes[kindOf(path)] += size;
  }
  return rows;
}

/** The stored size at the end of each of the last days, counting only files that still exist. */
export function usageByDay(files: readonly StoredFile[], days: number, now: number) {
  const first = startOfDay(now) - (days - 1) * day;
  const before = files.reduce(
    (total, file) => total + (Date.parse(file.createdAt) < first ? file.size : 0),
    0,
  );
  let total = before;
  return uploadsByDay(files, days, now).map(({ date, sizes }) => {
    total += sum(sizes);
    return { date, total };
  });
}

/** All figures of the dashboard about the files. */
export function storageFigures(files: readonly StoredFile[], quota: number, now: number) {
  const sizes = emptyByKind();
  const recent = { bytes: 0, files: 0 };
  for (const { path, size, createdAt } of files) {
    sizes[kindOf(path)] += size;
    if (Date.parse(createdAt) > now - 7 * day) {
      recent.bytes += size;
      recent.files += 1;
    }
  }
  const used = sum(sizes);
  return {
    used,
    sizes,
    recent,
    share: quota > 0 ? used / quota : 1,
    level: levelOf(used, quota),
    days: daysRemaining(used, quota, recent.bytes),
    largest: [...files].sort((one, other) => other.size - one.size).slice(0, 8),
  };
}
