/** People whom a remote status mentions and who could not be looked up: how many of them are looked for again, and when (objects 5). */
import type { UnreachedMention } from '@murmuration/contracts/statuses'

/** Of one status; many more are an attack. */
const MOST = 10
/** Most bytes of an index entry. */
const LONGEST_BYTES = 2_048

/** Seconds before each try, each wait at least as long as the one before; after the last one they are given up. */
export const WAITS_S: readonly number[] = [30, 60, 120, 240, 480, 600, 600]

/** Unreached mentions that are looked up again, each with the host that is asked. */
export const worthSeeking = (unreached: readonly UnreachedMention[] = []): (UnreachedMention & { host: string })[] =>
  unreached
    .flatMap((one) => (URL.canParse(one.uri) ? [{ ...one, host: new URL(one.uri).host }] : []))
    .filter(({ uri }) => Buffer.byteLength(uri) <= LONGEST_BYTES)
    .slice(0, MOST)
