/** Requests to the `fetch` role for remote statuses and their approvals. */

import { z } from 'zod'
import { RemoteActor } from '../accounts/remote-account.js'
import { RemoteContent } from '../content.js'
import { internal, operation } from '../kit/index.js'
import { FetchOutcome } from './remote-actor.js'

/** A remote Note. The caller resolves its actor and object addresses. */
export const FetchedNote = RemoteContent.extend({
  /** Actor id of the author. Some servers send the URL of the profile page instead. */
  authorUri: z.string(),
  mentionUris: z.array(
    z.object({
      /** Actor id of the mentioned account. Some servers send the URL of the profile page instead. */
      uri: z.string(),
      silent: z.boolean(),
      /** Handle of the mentioned account on another server, as written in the mention: `name@domain` in lower case. */
      handle: z.string().optional(),
    }),
  ),
  /**
   * Handles of mentioned accounts on other servers, if the text names only handles: `name@domain` in lower case. Local
   * accounts are in `mentionUris` by page.
   */
  mentionHandles: z.array(z.string()).optional(),
  /** True if the document has neither `to` nor `cc`. The Create of the status may have them. */
  unaddressed: z.boolean().optional(),
})

export type FetchedNote = z.infer<typeof FetchedNote>

export const fetchObject = operation('federation.fetch.object', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    url: z.string(),
    /** True: cached results of earlier fetches are ignored. */ fresh: z.boolean().optional(),
    /** True for background fetches, with a smaller rate limit. */ behind: z.boolean().optional(),
    /** Account id of the local account that signs the request for a non-public object. Without `as`, the instance actor signs. */
    as: z.string().optional(),
  }),
  output: z.object({
    outcome: FetchOutcome,
    note: FetchedNote.nullable(),
    actor: RemoteActor.nullable(),
    /** If the address contains an Update or Delete: its type, with the id of its object. The outcome is then `refused`. */
    activity: z.object({ type: z.enum(['Update', 'Delete']), object: z.string() }).optional(),
    /**
     * Address on this server to which a redirect, the id of the document or a link of the page leads. It was not fetched.
     */
    local: z.string().optional(),
    /** True if the outcome is `later` because a rate limit of this server was reached. */
    limited: z.boolean().optional(),
  }),
  about: 'Fetches the note or actor at an address, also by the address of its HTML page.',
})

export const fetchCollection = operation('federation.fetch.collection', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  large: true,
  input: z.object({
    /** Address of a collection of statuses, or of one of its pages. */
    url: z.string().max(2_048),
    /** Maximum number of items that are returned. `pages`: maximum number of pages that are fetched for them. */
    most: z.int().min(1).max(500),
    pages: z.int().min(1).max(10),
    /** True: the collection is fetched again even if a cached result exists. */ fresh: z.boolean().optional(),
  }),
  output: z.object({
    outcome: FetchOutcome,
    items: z.array(
      z.object({
        uri: z.string(),
        /**
         * The status, if its own server embedded it and it is public. Else null, and the status must be fetched by its
         * address.
         */
        note: FetchedNote.nullable(),
      }),
    ),
    /** Number of pages of the collection that were fetched. */
    pages: z.int(),
    /** Address of the next page; null at the end. */
    next: z.string().nullable(),
    /** True if a page of the collection could not be read. */
    partial: z.boolean().optional(),
  }),
  about: 'Fetches statuses of a collection, such as an outbox or pinned statuses, in the order of the collection.',
})

export const fetchReplies = operation('federation.fetch.replies', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  large: true,
  input: z.object({ uri: z.string().max(2_048), most: z.int().min(1).max(500), pages: z.int().min(0).max(10) }),
  output: z.object({
    outcome: FetchOutcome,
    /** The status in the version that its server returned now. */
    note: FetchedNote.nullable(),
    /** Addresses of the replies to the status, as its server lists them. */
    uris: z.array(z.string()),
    pages: z.int(),
    /** Address of the next page; null at the end. */
    next: z.string().nullable(),
  }),
  about: 'Fetches a status and the addresses of its replies, as its server lists them.',
})

export const fetchAuthorization = operation('federation.fetch.stamp', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    /** Address of the approval of a quote or reply. */
    stamp: z.string(),
    /** Id of the quoting status. The next members are the ids of the quoted status and of the quoted author. */
    status: z.string(),
    quoted: z.string(),
    quotedAuthor: z.string(),
    /** True if the approval is for a reply. False if it is for a quote. */
    reply: z.boolean().default(false),
  }),
  output: z.object({
    outcome: FetchOutcome,
    /**
     * True if the fetched approval is for other statuses or by another author, so that it never becomes valid. If
     * false, the refusal may be temporary.
     */
    unfit: z.boolean(),
  }),
  about: 'Fetches an approval, and verifies that the author of the quoted status or parent gave it to this status.',
})
