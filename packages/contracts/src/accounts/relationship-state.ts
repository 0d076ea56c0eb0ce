/** Operations with which other services read and change the block, mute and follow state between accounts. */

import { z } from 'zod'
import { Ids, internal, olderNames, operation } from '../kit/index.js'

/** Relationship of a viewer to one author. */
export const AccountRelationship = z.object({
  following: z.boolean(),
  showing_reblogs: z.boolean(),
  followed_by: z.boolean(),
  /** ISO 8601; time since when the author follows the viewer, or null. */
  followed_by_since: z.string().nullable(),
  requested: z.boolean(),
  blocking: z.boolean(),
  blocked_by: z.boolean(),
  muting: z.boolean(),
  muting_notifications: z.boolean(),
  domain_blocking: z.boolean(),
})

export type AccountRelationship = z.infer<typeof AccountRelationship>

export const listViewerRelationships = operation('accounts.graph.viewer-facts', {
  viewer: internal(),
  input: z.object({ viewer: z.string(), authors: Ids }),
  output: z.object({ [olderNames.relationships]: z.record(z.string(), AccountRelationship) }),
  about:
    'Relationship of a viewer to each of the given authors. Never cached, so that a block applies to the next request.',
})

export const listRelationshipsOfViewers = operation('accounts.graph.viewers-facts', {
  viewer: internal(),
  input: z.object({
    /** Account ids of authors by account id of each viewer. Intended for a few dozen viewers and authors. */
    asked: z.record(z.string(), z.array(z.string())),
  }),
  output: z.object({
    /** Relationship by viewer id and author id. */
    [olderNames.relationships]: z.record(z.string(), z.record(z.string(), AccountRelationship)),
  }),
  about: 'Relationships of several viewers to authors, for pages that are read at the same time.',
})

export const showRelationship = operation('accounts.relationship.show', {
  viewer: internal(),
  input: z.object({ account: z.string(), other: z.string() }),
  output: z.object({
    /** Null if the other account does not exist or is not confirmed. */
    relationship: AccountRelationship.omit({ followed_by_since: true })
      .extend({
        /** ISO 8601; time since when `account` follows `other`, or null. */
        following_since: z.string().nullable(),
        notifying: z.boolean(),
        /** Languages of the follow or request; null for all languages. */
        languages: z.array(z.string()).nullable(),
        muting_expires_at: z.string().nullable(),
      })
      .nullable(),
  }),
  about: 'Relationship of an account to another one with all details, for operators.',
})

export const listRelationshipsToAuthor = operation('accounts.graph.author-facts', {
  viewer: internal(),
  input: z.object({ author: z.string(), viewers: Ids }),
  output: z.object({ [olderNames.relationships]: z.record(z.string(), AccountRelationship) }),
  about: 'Relationship of each of the given viewers to one author, for fan-out and streams.',
})

export const refusals = operation('accounts.graph.refusals', {
  viewer: internal(),
  input: z.object({ viewers: Ids, authors: Ids }),
  output: z.object({ refused: z.record(z.string(), z.array(z.string())) }),
  about:
    'For each viewer, the given authors that the viewer blocks or mutes with notifications; viewers without one are left out.',
})

/** Blocks and mutes between a viewer and an account. At least one of the four booleans is true. */
export const BlockState = z.object({
  id: z.string(),
  blocking: z.boolean(),
  muting: z.boolean(),
  blocked_by: z.boolean(),
  domain_blocking: z.boolean(),
})

export type BlockState = z.infer<typeof BlockState>

export const mutuallyHidden = operation(olderNames.mutuallyHidden, {
  viewer: internal(),
  input: z.object({ named: z.array(z.string()).max(200) }),
  output: z.object({
    /**
     * Account id → accounts of `named` that have a block or mute between them and the account. `apart` is null when too
     * many accounts have a block or mute.
     */
    apart: z.record(z.string(), z.array(BlockState)).nullable(),
  }),
  about:
    'For streams: all accounts with a block or mute between them and the accounts named in a status; null if too many.',
})

export const feedRelationships = operation(olderNames.feedRelationships, {
  viewer: internal(),
  input: z.object({
    viewers: Ids,
    /** Ids of the accounts in a status: its author, the author of the boosted status, and the mentioned accounts. */
    named: z.array(z.string()).max(200),
    /** Account id of the author of the status that is replied to; null if the status is not a reply. */
    answers: z.string().nullable(),
  }),
  output: z.object({
    /**
     * Viewer id → accounts of `named` that have a block or mute between them and the viewer. Viewers without any are
     * left out.
     */
    apart: z.record(z.string(), z.array(BlockState)),
    /** Viewers who follow the author of the status that is replied to. */
    following: z.array(z.string()),
  }),
  about:
    'For feeds: blocks and mutes between viewers and the accounts named in a status, and viewers who follow the parent’s author.',
})

/** Changes a relationship as a received activity requests. The operation is safe to repeat. */
export const applyRemote = operation('accounts.graph.apply-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    what: z.enum(['follow', 'undo-follow', 'accept-follow', 'reject-follow', 'block', 'undo-block']),
    /** Account id of the actor that sent the activity. */
    actor: z.string(),
    /** Account id of the other account of the relationship. */
    target: z.string(),
    /** Id of the activity. A Follow or Block is stored with it, because a later Accept, Reject or Undo names it. */
    uri: z.string().nullable(),
    /**
     * Activity id of the local follow that the remote Accept or Reject names. The named follow must be the follow
     * between these accounts.
     */
    request: z.string().optional(),
    /**
     * True: changes nothing if the stored follow or block has another activity id than `uri` and `instead`. The outcome is then `other`.
     */
    exact: z.boolean().optional(),
    /** With `exact`: another activity id that the stored follow or block may have. */
    instead: z.string().optional(),
  }),
  output: z.object({
    outcome: z.enum(['done', 'pending', 'refused', 'unchanged', 'other']),
    /** With the outcome `other`: activity id of the stored follow or block. */
    other: z.string().optional(),
  }),
  about: 'Applies a remote activity to a relationship.',
})

export const remoteActivityTarget = operation(olderNames.remoteActivityTarget, {
  viewer: internal(),
  input: z.object({
    /** Account id of the actor that sent the activity. */
    actor: z.string(),
    /** Id of the activity that created the relationship. */
    uri: z.string(),
  }),
  output: z.object({
    [olderNames.activityTarget]: z
      .object({ what: z.enum(['follow', 'block']), /** Account id. */ target: z.string() })
      .nullable(),
  }),
  about: 'The follow, follow request or block that an activity of a remote actor created.',
})

export const findLocalAndFollowed = operation('accounts.upkeep.involved', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({ ids: z.array(z.string()).max(1_000) }),
  output: z.object({
    local: z.array(z.string()),
    /** Ids of the accounts that have a follower who is stored here. */ followed: z.array(z.string()),
  }),
  about: 'Those of these accounts that are local, and those with followers.',
})
