/** Renders events for listeners: one request per status and process. Listeners with the same viewer state share one text. */
import { Failure } from '@murmuration/contracts/kit'
import { notificationCards } from '@murmuration/contracts/notifications'
import { conversationCards, type LiveMessage, renderForListeners } from '@murmuration/contracts/statuses'
import { chunk, createBatcher } from '@murmuration/flow'
import type { Channel } from '../channel/index.js'
import type { Registry } from '../connection/index.js'
import type { Context } from '../context.js'

/** A status as rendered for several viewers. */
export interface Rendering {
  /** Viewer id → JSON text of the status. A viewer without an entry must not see the status. */
  texts: ReadonlyMap<string, string>
  /** Viewers with an open stream who lose the event, because the statuses service refused their grants. */
  lost: ReadonlySet<string>
}

/** Maximum number of listeners for whom one request renders a status. */
const MAX_LISTENERS: Record<Channel['surface'], number> = { public: 5_000, hashtag: 5_000, user: 1_000 }
/** Milliseconds for which `batched` collects viewers of a status, because the status is published to the log of each follower. */
const FLUSH_MS = 3

export interface Renderer {
  /** Renders a status for many viewers. */
  status(id: string, surface: Channel['surface'], viewers: readonly string[]): Promise<Rendering>
  /**
   * Renders a status for one viewer. Undefined if the viewer must not see the status.
   * Calls for the same status within FLUSH_MS share a request.
   */
  batched(id: string, viewer: string): Promise<string | undefined>
  notification(id: string, recipient: string): Promise<string | undefined>
  conversation(id: string, owner: string): Promise<string | undefined>
}

export const createRenderer = (
  ctx: Pick<Context, 'call'>,
  grants: Pick<Registry, 'grantOf' | 'renew' | 'of'>,
): Renderer => {
  /** Renders a status for some listeners and adds the results to `texts`. Returns the listeners whose grants were refused. */
  const renderFor = async (
    id: string,
    surface: Channel['surface'],
    listeners: readonly string[],
    texts: Map<string, string>,
  ): Promise<string[]> => {
    const { card, tails, tailOf, refused } = await ctx.call(renderForListeners, {
      id,
      listeners: [...listeners],
      grants: listeners.map((one) => grants.grantOf(one)),
      surface,
    })
    const whole = card === null ? [] : tails.map((tail) => card + tail)
    listeners.forEach((viewer, i) => {
      const text = whole[tailOf[i] ?? -1]
      if (text !== undefined) texts.set(viewer, text)
    })
    return (refused ?? []).flatMap((i) => listeners[i] ?? [])
  }

  /**
   * Like `renderFor`, but renews refused grants and repeats the request once for their listeners. Returns the listeners without
   * a result. Listeners that disconnected have no grant and are left out.
   */
  const part = async (...[id, surface, listeners, texts]: Parameters<typeof renderFor>): Promise<string[]> => {
    const refused = await renderFor(id, surface, listeners, texts)
    if (refused.length === 0) return []
    await grants.renew(refused)
    const connected = refused.filter((one) => grants.of(one) > 0)
    // A failure of the repeated request affects only listeners whose grant was refused, because the other listeners
    // have their results already.
    return connected.length === 0 ? [] : renderFor(id, surface, connected, texts).catch(() => connected)
  }

  /** Calls `request` with the viewer's grant. A request that fails with `forbidden` is repeated once with a new grant. */
  const granted = async <T>(viewer: string, request: (grant: string) => Promise<T>): Promise<T> => {
    try {
      return await request(grants.grantOf(viewer))
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'forbidden')) throw error
      await grants.renew([viewer])
      return request(grants.grantOf(viewer))
    }
  }

  const status: Renderer['status'] = async (id, surface, viewers) => {
    const texts = new Map<string, string>()
    const parts = chunk([...new Set(viewers)], MAX_LISTENERS[surface])
    const lost = await Promise.all(parts.map((one) => part(id, surface, one, texts)))
    return { texts, lost: new Set(lost.flat()) }
  }

  /**
   * Sends one request for each status of a batch. A failed request rejects only the viewers of its status. A refused grant
   * rejects only its viewer.
   */
  const batched = createBatcher<{ id: string; viewer: string }, string | undefined>(
    async (items) => {
      const renderings = new Map(
        [...Map.groupBy(items, ({ id }) => id)].map(([id, some]) => [
          id,
          status(
            id,
            'user',
            some.map(({ viewer }) => viewer),
          ),
        ]),
      )
      return items.map(async ({ id, viewer }) => {
        const rendering = await renderings.get(id)
        if (rendering?.lost.has(viewer)) throw new Error('the grant of a stream was refused')
        return rendering?.texts.get(viewer)
      })
    },
    {
      max: MAX_LISTENERS.user,
      concurrency: Number.POSITIVE_INFINITY,
      delayMs: FLUSH_MS,
      retryAlone: false,
      runIn: (work) => work(),
    },
  )

  return {
    status,
    batched: (id, viewer) => batched({ id, viewer }),
    async conversation(id, owner) {
      const cards = await granted(owner, (grant) => ctx.call(conversationCards, { viewer: owner, ids: [id], grant }))
      return cards.get(id)
    },
    async notification(id, recipient) {
      const cards = await granted(recipient, (grant) => ctx.call(notificationCards, { recipient, ids: [id], grant }))
      return cards.get(id)
    },
  }
}

/** The payload of an event that needs no rendering, such as an id; undefined for `filters_changed`. */
export const plainPayload = (message: LiveMessage): string | undefined =>
  message.payload ?? (message.e === 'filters_changed' ? undefined : (message.id ?? '1'))

/** True for events that carry a rendered status. */
export const isStatus = (message: LiveMessage): message is LiveMessage & { id: string } =>
  (message.e === 'update' || message.e === 'status.update') && message.id !== undefined
