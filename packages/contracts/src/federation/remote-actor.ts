/** Requests to the `fetch` role for remote accounts, and their outcomes. */
import { z } from 'zod'
import { RemoteActor } from '../accounts/remote-account.js'
import { internal, operation } from '../kit/index.js'

/** Outcomes of a fetch. `later` is a temporary failure: a repeated request may succeed. */
export const FetchOutcome = z.enum(['ok', 'gone', 'refused', 'not-found', 'later', 'local', 'blocked'])

export const fetchActor = operation('federation.fetch.actor', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    uri: z.string().optional(),
    handle: z.string().optional(),
    /** True: cached results of earlier fetches are ignored. */
    fresh: z.boolean().optional(),
    /** True for background fetches: a smaller rate limit applies, and servers that failed for days are skipped. */
    behind: z.boolean().optional(),
    /**
     * True: the address may lead to an actor of another server. It is absent if the server of the address vouches for
     * the actor, for example as the author of a status.
     */
    elsewhere: z.boolean().optional(),
  }),
  output: z.object({
    outcome: FetchOutcome,
    actor: RemoteActor.nullable(),
    /** Address on this server to which a redirect, the id of the document or a link of the page leads. */
    local: z.string().optional(),
    /** True if the outcome is `later` because a rate limit of this server was reached. */
    limited: z.boolean().optional(),
  }),
  about:
    'Fetches a remote actor: verified by WebFinger, with sanitised HTML. Simultaneous requests for one address share a fetch.',
})

export const fetchKey = operation('federation.fetch.key', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    keyId: z.string(),
    /** True: the key is fetched even if it was fetched recently. */
    fresh: z.boolean().optional(),
  }),
  output: z.object({
    outcome: FetchOutcome,
    /** Owner of the key. The key names the actor as its owner, and the actor lists the key. `keys` contains the key. */
    actor: RemoteActor.nullable(),
  }),
  about: 'Fetches a public key and the actor that lists it, each from its own address.',
})

export const fetchLinkBack = operation('federation.fetch.link-back', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    /** URL of a page to which the profile of the account links. */
    url: z.string().max(2_048),
    /** URL of the profile to which the page must link with rel="me". */
    profile: z.string().max(2_048),
  }),
  output: z.object({ outcome: FetchOutcome, linksBack: z.boolean() }),
  about: 'Fetches a page and checks whether it links back to a profile with rel="me".',
})

export const fetchFeaturedTags = operation('federation.fetch.featured-tags', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({ url: z.string().max(2_048) }),
  output: z.object({
    outcome: FetchOutcome,
    /** Hashtags as the remote server spells them, at most ten. */
    names: z.array(z.string()),
  }),
  about: 'Fetches the hashtags that a remote account features.',
})
