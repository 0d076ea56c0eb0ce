/** Recognises errors of a full disk. A module of its own, because decoder processes load no other package. */

/**
 * Error codes of a full disk: no space is left, a quota is used up, or a limit of file sizes is reached, which some hosts
 * set as a quota.
 */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Whether a write failed because the disk is full. */
export const isFull = (error: unknown): boolean => FULL.has((error as NodeJS.ErrnoException | null | undefined)?.code)
