/** Requests to the `fetch` role for accounts of other servers, and their outcomes. */
import { z } from 'zod'
import { RemoteActor } from '../accounts/remote-account.js'
import { internal, operation } from '../kit/index.js'

/** Named outcomes of reaching out; `later` may succeed when tried again. */
export const FetchOutcome = z.enum(['ok', 'gone', 'refused', 'not-found', 'later', 'local', 'blocked'])

export const fetchActor = operation('federation.fetch.actor', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    uri: z.string().optional(),
    handle: z.string().optional(),
    /** Ignores results of earlier reads. */
    fresh: z.boolean().optional(),
    /** Background read: with a smaller rate limit, and never of servers that failed for days. */
    behind: z.boolean().optional(),
  }),
  output: z.object({ outcome: FetchOutcome, actor: RemoteActor.nullable() }),
  about:
    'Reads a remote actor: WebFinger, signed GET, round trip proved, HTML cleaned, pictures named. One fetch per address at a time.',
})

export const fetchKey = operation('federation.fetch.key', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    keyId: z.string(),
    /** Ask again although the key was asked for a moment ago. */
    fresh: z.boolean().optional(),
  }),
  output: z.object({
    outcome: FetchOutcome,
    /** The owner of the key, proved both ways; `keys` holds the key. */
    actor: RemoteActor.nullable(),
  }),
  about: 'Reads a public key and the actor who lists it, each from its own address.',
})

export const fetchLinkBack = operation('federation.fetch.link-back', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    /** The page that somebody says is theirs. */
    url: z.string().max(2_048),
    /** The profile it must link to with rel="me". */
    profile: z.string().max(2_048),
  }),
  output: z.object({ outcome: FetchOutcome, linksBack: z.boolean() }),
  about: 'Reads a page and looks whether it links back to a profile with rel="me".',
})

export const fetchFeaturedTags = operation('federation.fetch.featured-tags', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({ url: z.string().max(2_048) }),
  output: z.object({ outcome: FetchOutcome, /** As spelt there, ten at most. */ names: z.array(z.string()) }),
  about: 'Reads the collection of hashtags that a remote account features.',
})
