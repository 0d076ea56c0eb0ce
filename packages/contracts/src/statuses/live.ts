/** Streaming: connected accounts, and the payloads of their connections. */
import { z } from 'zod'
import { internal, live, operation } from '../kit/index.js'

const Ids = z.array(z.string()).max(1_000)

/** Renders one status for many open connections: the shared text, and the differences per listener. */
export const renderForListeners = operation('statuses.render.for-listeners', {
  viewer: internal(),
  large: true,
  input: z.object({
    id: z.string(),
    /** Account ids of the listeners. */
    listeners: z.array(z.string()).max(5_000),
    /** Grants of the listeners' streams in the same order, from `accounts.token.resolve`. */
    grants: z.array(z.string().max(64)).max(5_000).optional(),
    surface: z.enum(['public', 'hashtag', 'user']),
  }),
  output: z.object({
    /**
     * JSON text of the status for anonymous viewers, without its closing brace. `card` is null when no listener may see
     * the status.
     */
    card: z.string().nullable(),
    /** Texts to append to the card, with the closing brace. Listeners with the same viewer state share one. */
    tails: z.array(z.string()),
    /** Index into `tails` for each listener, in the order of the input; -1 when the status is hidden from it. */
    tailOf: z.array(z.int()),
    /** Indexes of listeners whose grants are missing, expired or invalid. For such listeners, nothing is rendered. */
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

/** `live.public.<local|remote>`: public statuses. */
export const livePublic = live('public', 'New, edited and deleted public statuses.')

/** `live.tag.<token of the name>`, see `tagToken` of packages/text: public statuses with a tag. */
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
  /** For an edit that mentions the account: only the notification stream, or the home stream as well. */
  to: z.enum(['notification', 'both']).optional(),
  /** Payload of events that are not rendered per listener. */
  payload: z.string().optional(),
})

export type LiveMessage = z.infer<typeof LiveMessage>
