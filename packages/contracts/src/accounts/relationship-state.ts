/** Block, mute and follow state between accounts, for other services. */

import { z } from 'zod'
import { internal, operation } from '../kit/index.js'
import { Ids } from './ids.js'

/** How a viewer stands to one author. */
export const Standing = z.object({
  following: z.boolean(),
  showing_reblogs: z.boolean(),
  followed_by: z.boolean(),
  /** ISO time since when the author follows the viewer, or null. */
  followed_by_since: z.string().nullable(),
  requested: z.boolean(),
  blocking: z.boolean(),
  blocked_by: z.boolean(),
  muting: z.boolean(),
  muting_notifications: z.boolean(),
  domain_blocking: z.boolean(),
})

export type Standing = z.infer<typeof Standing>

export const viewerFacts = operation('accounts.graph.viewer-facts', {
  viewer: internal(),
  input: z.object({ viewer: z.string(), authors: Ids }),
  output: z.object({ standings: z.record(z.string(), Standing) }),
  about: 'How a viewer stands to each of these authors. Never cached: a block holds on the next request.',
})

export const viewersFacts = operation('accounts.graph.viewers-facts', {
  viewer: internal(),
  input: z.object({
    /** Viewer → authors; a few dozen of each. */
    asked: z.record(z.string(), z.array(z.string())),
  }),
  output: z.object({
    /** Viewer → author → how they stand. */
    standings: z.record(z.string(), z.record(z.string(), Standing)),
  }),
  about: 'The same for several viewers, whose pages are read at the same moment.',
})

export const authorFacts = operation('accounts.graph.author-facts', {
  viewer: internal(),
  input: z.object({ author: z.string(), viewers: Ids }),
  output: z.object({ standings: z.record(z.string(), Standing) }),
  about:
    'How each of these viewers stands to one author; the other way round of viewer-facts, for fan-out and streams.',
})

export const refusals = operation('accounts.graph.refusals', {
  viewer: internal(),
  input: z.object({ viewers: Ids, authors: Ids }),
  output: z.object({ refused: z.record(z.string(), z.array(z.string())) }),
  about:
    'Whom of these authors each of these viewers blocks, or mutes with notifications; viewers who refuse nobody are left out.',
})

/** Blocks and mutes between a viewer and an account. At least one of the four is true. */
export const Distance = z.object({
  id: z.string(),
  blocking: z.boolean(),
  muting: z.boolean(),
  blocked_by: z.boolean(),
  domain_blocking: z.boolean(),
})

export type Distance = z.infer<typeof Distance>

export const mutuallyHidden = operation('accounts.graph.keepers-apart', {
  viewer: internal(),
  input: z.object({ named: z.array(z.string()).max(200) }),
  output: z.object({
    /** Person → those of `named` they keep apart from; null when these people are too many to be told. */
    apart: z.record(z.string(), z.array(Distance)).nullable(),
  }),
  about: 'For streams: everybody who keeps apart from somebody named in a status, unless they are very many.',
})

export const feedStandings = operation('accounts.graph.feed-standings', {
  viewer: internal(),
  input: z.object({
    viewers: Ids,
    /** Everybody named in a status: its author, the boosted author, who is mentioned. */
    named: z.array(z.string()).max(200),
    /** The account that the status replies to. */
    answers: z.string().nullable(),
  }),
  output: z.object({
    /** Viewer id → those of `named` they keep apart from; viewers who keep apart from nobody are left out. */
    apart: z.record(z.string(), z.array(Distance)),
    /** Viewers who follow whom the status answers. */
    following: z.array(z.string()),
  }),
  about:
    'For feeds: who of these viewers keeps apart from somebody named in a status, and who follows whom it answers.',
})

/** Changes of relationships by incoming activities. Each may be repeated. */
export const applyRemote = operation('accounts.graph.apply-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    what: z.enum(['follow', 'undo-follow', 'accept-follow', 'reject-follow', 'block', 'undo-block']),
    /** Account id of the actor who sent it. */
    actor: z.string(),
    /** Account id of the other side. */
    target: z.string(),
    /** Activity id, kept for the answer. */
    uri: z.string().nullable(),
    /** An answer that names our follow by its id: it must be the follow between these two. */
    request: z.string().optional(),
    /** Where a follow or block that is meant stands under another activity id, or one of them against the other, that is said, and nothing changes. */
    exact: z.boolean().optional(),
    /** With `exact`: the activity id of another one that may stand. */
    instead: z.string().optional(),
  }),
  output: z.object({
    outcome: z.enum(['done', 'pending', 'refused', 'unchanged', 'other']),
    /** The activity id of what stands, when it is another one. */
    other: z.string().optional(),
  }),
  about: 'A relation changed because a remote actor said so.',
})

export const remoteActivityTarget = operation('accounts.graph.deed', {
  viewer: internal(),
  input: z.object({
    /** Account id of the actor who did it. */
    actor: z.string(),
    /** Activity id with which it was done. */
    uri: z.string(),
  }),
  output: z.object({
    deed: z.object({ what: z.enum(['follow', 'block']), /** Account id. */ target: z.string() }).nullable(),
  }),
  about: 'Whom a remote actor follows, asks to follow or blocks by this activity.',
})

export const accountsInvolved = operation('accounts.upkeep.involved', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({ ids: z.array(z.string()).max(1_000) }),
  output: z.object({
    local: z.array(z.string()),
    /** They have followers that are known here. */ followed: z.array(z.string()),
  }),
  about: 'Those of these accounts that are local, and those with followers.',
})
