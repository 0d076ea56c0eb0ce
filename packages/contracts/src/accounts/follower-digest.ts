/** Followers of an account on one server, and their synchronization between two servers (FEP-8fcf). */
import { z } from 'zod'
import { internal, olderNames, operation } from '../kit/index.js'

/** Scheme, host and port of a server, without a trailing slash. */
const origin = z.string().max(300)

export const followerDigests = operation('accounts.graph.follower-digests', {
  viewer: internal(),
  input: z.object({
    account: z.string(),
    /** Origins of servers to include; all when absent. */
    origins: z.array(origin).max(5_000).optional(),
  }),
  output: z.object({
    /** False while the digests of an account with very many followers are not computed yet; then `digests` is empty. */
    comparable: z.boolean(),
    /** Origin → digest of 64 hexadecimal digits. Origins without a follower are left out. */
    digests: z.record(z.string(), z.string()),
  }),
  large: true,
  about: 'XOR of the SHA-256 of the actor ids of all followers of an account, per server.',
})

export const followersAt = operation('accounts.graph.followers-at', {
  viewer: internal(),
  input: z.object({
    account: z.string(),
    origin,
    /** `next` of the previous page; "0" for the first. */
    after: z.string(),
    limit: z.int().min(1).max(5_000),
  }),
  output: z.object({
    uris: z.array(z.string()),
    /** Cursor of the next page; null on the last page. */
    next: z.string().nullable(),
  }),
  large: true,
  about: 'Actor ids of the followers of an account on one server, oldest follow first.',
})

export const synchroniseFollowers = operation('accounts.graph.synchronise', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** The remote account whose followers are compared. */
    account: z.string(),
    /**
     * Actor ids of the local accounts that the remote server lists as followers. A long list is applied in several calls, each with the
     * ids of one range (`part`).
     */
    listed: z.array(z.string()).max(5_000),
    /**
     * Range of actor ids in byte order: after `after`, up to and including `upTo`. A null bound means that the range is
     * unbounded.
     */
    part: z.object({ after: z.string().nullable(), upTo: z.string().nullable() }),
    /**
     * Digest of the local followers before the request to the remote server. If the current digest differs, nothing
     * changes.
     */
    before: z.string().optional(),
  }),
  output: z.object({
    /** True when a follow began or ended meanwhile, so that nothing changed. */
    overtaken: z.boolean().optional(),
    /** Number of follows that ended because the remote server does not list them. At most 500 follows end per call. */
    ended: z.int(),
    /** Number of follow requests that the list shows to be accepted. */
    accepted: z.int(),
    /** Local accounts that are listed but neither follow nor request to follow. */
    [olderNames.unknownAccounts]: z.array(z.string()),
  }),
  large: true,
  about: 'Applies the list of local followers that the server of a remote account reports.',
})
