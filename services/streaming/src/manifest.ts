/** The floor plan of streaming: open connections and nothing else. */
import { listOwners, tokenResolve } from '@murmuration/contracts/accounts'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { notificationCards } from '@murmuration/contracts/notifications'
import { conversationCards, renderForListeners } from '@murmuration/contracts/statuses'
import { service } from '@murmuration/kernel'

export const calls = [
  conversationCards,
  listOwners,
  notificationCards,
  renderForListeners,
  tokenResolve,
] as const satisfies readonly AnyOperation[]

export const manifest = service('streaming', {
  calls,
  database: false,
  hearsLive: true,
  roles: {
    ws: {
      http: { port: 4000, surface: 'streaming' },
      scales: 'connections',
      needs: ['nats', 'redis'],
      replicas: { min: 2, max: 40 },
    },
  },
})
