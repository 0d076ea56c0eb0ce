/** Followers of an account on one server, and whether two servers agree about them (FEP-8fcf). */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

/** Scheme, host and port of a server, without a slash at the end. */
const origin = z.string().max(300)

export const followerDigests = operation('accounts.graph.follower-digests', {
  viewer: internal(),
  input: z.object({
    account: z.string(),
    /** Only these; all when absent. */
    origins: z.array(origin).max(5_000).optional(),
  }),
  output: z.object({
    /** False while the digests of an account with very many followers are not kept yet; then there are none. */
    comparable: z.boolean(),
    /** Origin → 64 hex letters; origins without a follower are left out. */
    digests: z.record(z.string(), z.string()),
  }),
  large: true,
  about: 'XOR of the SHA-256 of the actor ids of all followers of an account, for each server they live on.',
})

export const followersAt = operation('accounts.graph.followers-at', {
  viewer: internal(),
  input: z.object({
    account: z.string(),
    origin,
    /** Where the page before ended; "0" is the beginning. */
    after: z.string(),
    limit: z.int().min(1).max(5_000),
  }),
  output: z.object({
    uris: z.array(z.string()),
    /** Where the next page begins; null after the last. */
    next: z.string().nullable(),
  }),
  large: true,
  about: 'Actor ids of the followers of an account that live on one server, oldest follow first.',
})

export const synchroniseFollowers = operation('accounts.graph.synchronise', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** The remote account whose followers are compared. */
    account: z.string(),
    /** Actor ids of everybody here whom its server counts as follower; of a long list those of one part. */
    listed: z.array(z.string()).max(5_000),
    /** The part, in the order of bytes: behind the one id, up to the other; null is before the first and after the last. */
    part: z.object({ after: z.string().nullable(), upTo: z.string().nullable() }),
    /** The digest of its followers here before its server was asked: nothing changes when that is another one by now. */
    before: z.string().optional(),
  }),
  output: z.object({
    /** A follow began or ended meanwhile. */
    overtaken: z.boolean().optional(),
    /** Follows that ended because the other side knows nothing of them; those beyond a bound end the next time. */
    ended: z.int(),
    /** Requests that turn out to be granted. */
    accepted: z.int(),
    /** People here who are listed and neither follow nor ask to. */
    strangers: z.array(z.string()),
  }),
  large: true,
  about: 'Takes over what the server of a remote account says about its followers here.',
})
