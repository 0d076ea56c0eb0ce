/** Operations and live messages of streaming: connected accounts, and the payloads of their connections. */
import { z } from 'zod'
import { Ids, internal, live, operation } from '../kit/index.js'

/** Renders one status for many open connections: the text that all viewers share, and the parts that differ between viewers. */
export const renderForListeners = operation('statuses.render.for-listeners', {
  viewer: internal(),
  large: true,
  input: z.object({
    id: z.string(),
    /** Account ids of the viewers with an open connection. */
    listeners: z.array(z.string()).max(5_000),
    /** Grants of the viewers' streams, in the order of `listeners`. `accounts.token.resolve` returns them. */
    grants: z.array(z.string().max(64)).max(5_000).optional(),
    surface: z.enum(['public', 'hashtag', 'user']),
  }),
  output: z.object({
    /** JSON text of the status for anonymous viewers, without its closing brace. Null if none of the viewers may see the status. */
    card: z.string().nullable(),
    /** Texts that are appended to the card, including its closing brace. Viewers with the same viewer state share one text. */
    tails: z.array(z.string()),
    /** Index into `tails` for each viewer, in the order of `listeners`; -1 if the status is hidden from the viewer. */
    tailOf: z.array(z.int()),
    /** Indexes of viewers whose grants are missing, expired or invalid. The status is not rendered for them. */
    refused: z.array(z.int()).optional(),
  }),
  errors: ['forbidden'],
  about: 'JSON of one status for all listeners of a streaming process.',
})

export const listeningAccounts = operation('statuses.live.listening', {
  viewer: internal(),
  input: z.object({ accounts: Ids }),
  output: z.object({ listening: z.array(z.string()) }),
  about: 'Those of the given accounts that have an open stream, or had one a few minutes ago.',
})

/**
 * `live.user.<account id>`: events for one account's connections. The messages are kept for a day so that connections
 * can resume.
 */
export const liveUser = live('user', 'Events for the connections of one account.')

/** `live.public.<local|remote>`: new, edited and deleted public statuses. */
export const livePublic = live('public', 'New, edited and deleted public statuses.')

/**
 * `live.tag.<token>`: public statuses with a tag. `tagToken` (`packages/text/src/tag-token.ts`) returns the token of
 * the tag's name.
 */
export const liveTag = live('tag', 'New, edited and deleted public statuses with a tag.')

/** `live.list.<list id>`: statuses put into a list feed. */
export const liveList = live('list', 'Statuses put into or taken from a list feed.')

/** A message for open streaming connections. `e` is the event of the streaming API, `id` the id of its entity. */
export const LiveMessage = z.object({
  e: z.enum([
    'update',
    'status.update',
    'delete',
    'notification',
    'notifications_merged',
    'filters_changed',
    'conversation',
    'announcement',
    'announcement.reaction',
    'announcement.delete',
    'kill',
  ]),
  id: z.string().optional(),
  local: z.boolean().optional(),
  media: z.boolean().optional(),
  /**
   * For an edit that mentions the account: the streams that get the event. `notification`: only the notification
   * stream. `both`: the home stream, too.
   */
  to: z.enum(['notification', 'both']).optional(),
  /** Payload of an event that is the same for all viewers. */
  payload: z.string().optional(),
})

export type LiveMessage = z.infer<typeof LiveMessage>
