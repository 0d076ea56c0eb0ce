/** Requests to the `fetch` role for statuses of other servers and their approvals. */

import { z } from 'zod'
import { RemoteActor } from '../accounts/remote-account.js'
import { RemoteContent } from '../content.js'
import { internal, operation } from '../kit/index.js'
import { FetchOutcome } from './remote-actor.js'

/** A remote Note with actor and object addresses still to be resolved by the asker. */
export const FetchedNote = RemoteContent.extend({
  authorUri: z.string(),
  mentionUris: z.array(
    z.object({
      /** The actor id, or with some servers the page of the profile. */
      uri: z.string(),
      silent: z.boolean(),
      /** Lower-case `name@domain` on another server, as the mention spells it. */
      handle: z.string().optional(),
    }),
  ),
})

export type FetchedNote = z.infer<typeof FetchedNote>

export const fetchObject = operation('federation.fetch.object', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    url: z.string(),
    /** Ignores results of earlier reads. */ fresh: z.boolean().optional(),
    /** Background read, with a smaller rate limit. */ behind: z.boolean().optional(),
    /** Account id of the person here in whose name it is read, for what is not for everybody; else the server asks. */
    as: z.string().optional(),
  }),
  output: z.object({ outcome: FetchOutcome, note: FetchedNote.nullable(), actor: RemoteActor.nullable() }),
  about: 'Reads whatever an address denotes: a note or an actor, also through its HTML page.',
})

export const fetchCollection = operation('federation.fetch.collection', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  large: true,
  input: z.object({
    /** A collection of statuses, or one of its pages. */
    url: z.string().max(2_048),
    /** Items in all, and pages that are read for them. */
    most: z.int().min(1).max(500),
    pages: z.int().min(1).max(10),
    /** Results of reads that began earlier do not count. */ fresh: z.boolean().optional(),
  }),
  output: z.object({
    outcome: FetchOutcome,
    items: z.array(
      z.object({
        uri: z.string(),
        /** The status, when its own server sent it along and it is for everybody; else its address must be asked. */
        note: FetchedNote.nullable(),
      }),
    ),
    /** Pages that were read. */
    pages: z.int(),
    /** Where it goes on; null at its end. */
    next: z.string().nullable(),
  }),
  about: 'Reads statuses out of a collection, such as an outbox or pins, in the order in which they stand there.',
})

export const fetchReplies = operation('federation.fetch.replies', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  large: true,
  input: z.object({ uri: z.string().max(2_048), most: z.int().min(1).max(500), pages: z.int().min(0).max(10) }),
  output: z.object({
    outcome: FetchOutcome,
    /** The status itself as it is now. */
    note: FetchedNote.nullable(),
    /** Addresses of answers to it, as its server lists them. */
    uris: z.array(z.string()),
    pages: z.int(),
    /** Where the list goes on; null at its end. */
    next: z.string().nullable(),
  }),
  about: 'Reads a status and which answers its server knows.',
})

export const fetchStamp = operation('federation.fetch.stamp', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    /** Address of the approval. */
    stamp: z.string(),
    /** Uris of the status that quotes, of the one that is quoted, and of its author. */
    status: z.string(),
    quoted: z.string(),
    quotedAuthor: z.string(),
    /** Whether the status answers the other one instead of quoting it. */
    reply: z.boolean().default(false),
  }),
  output: z.object({
    outcome: FetchOutcome,
    /** A sound approval was read, and it is for something else; any other refusal may pass. */
    unfit: z.boolean(),
  }),
  about:
    'Whether an approval, read from its own address, was given by the quoted or answered author for just this status.',
})
