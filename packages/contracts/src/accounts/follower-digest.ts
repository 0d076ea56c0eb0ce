/**
 * Operations and a job about followers of an account on one server, and about their synchronization between two servers
 * (FEP-8fcf).
 */
import { z } from 'zod'
import { internal, job, olderNames, operation } from '../kit/index.js'

/** Scheme, host and port of a server, without a trailing slash. */
const origin = z.string().max(300)

export const followerDigests = operation('accounts.graph.follower-digests', {
  viewer: internal(),
  input: z.object({
    account: z.string(),
    /** Origins of the servers whose digests are returned; all servers if absent. */
    origins: z.array(origin).max(5_000).optional(),
  }),
  output: z.object({
    /** False while the digests of an account with very many followers are not computed yet; then `digests` is empty. */
    comparable: z.boolean(),
    /** Digest by origin of a server, as 64 hexadecimal digits. Servers without a follower are left out. */
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
    /** Value of `next` on the previous page; "0" for the first page. */
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
    /** Account id of the remote account whose followers on this server are compared. */
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
    /** Digest of the local followers before the request to the remote server. If the digest is different now, nothing is changed. */
    before: z.string().optional(),
  }),
  output: z.object({
    /** True if a follow began or ended during the request to the remote server. In that case, nothing was changed. */
    overtaken: z.boolean().optional(),
    /** Number of follows that ended because the remote server does not list them. At most 500 follows end per call. */
    ended: z.int(),
    /** Number of follow requests that are now follows, because the list of the remote server contains the requesting account. */
    accepted: z.int(),
    /** Local accounts that the remote server lists as followers, although they neither follow nor request to follow. */
    [olderNames.unknownAccounts]: z.array(z.string()),
  }),
  large: true,
  about: 'Applies the list of local followers that the server of a remote account reports.',
})

export const storeDigestsJob = job('accounts.keep-digests', {
  data: z.object({ account: z.string() }),
  about:
    'Computes the follower digests of an account with very many followers, which are kept up to date from then on.',
  timeoutMs: 90_000,
  concurrency: 1,
})
