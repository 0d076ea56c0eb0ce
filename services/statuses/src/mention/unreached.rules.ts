/** Rules of mentioned accounts that could not be looked up: how many are looked up again, and when. */
import type { UnreachedMention } from '@murmuration/contracts/statuses'

/** Maximum number of lookups for one status. A status with many more such mentions is an attack. */
const MAX_LOOKUPS = 10
/** Maximum bytes of a uri, because uris of mentions are in an index. */
const MAX_BYTES = 2_048

/** Seconds before each try, never shorter than the one before. After the last try the lookup is given up. */
export const WAITS_S: readonly number[] = [30, 60, 120, 240, 480, 600, 600]

/** Unreached mentions that are looked up again, each with the host to ask. At most `MAX_LOOKUPS` mentions are looked up again. */
export const retryableMentions = (
  unreached: readonly UnreachedMention[] = [],
): (UnreachedMention & { host: string })[] =>
  unreached
    .flatMap((one) => (URL.canParse(one.uri) ? [{ ...one, host: new URL(one.uri).host }] : []))
    .filter(({ uri }) => Buffer.byteLength(uri) <= MAX_BYTES)
    .slice(0, MAX_LOOKUPS)
