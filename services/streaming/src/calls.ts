/** Operations that streaming calls. Written by `npm run gen`: do not edit. */
import { listOwners, resolveToken } from '@murmuration/contracts/accounts'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { notificationCards } from '@murmuration/contracts/notifications'
import { conversationCards, renderForListeners } from '@murmuration/contracts/statuses'

export const calls = [
  conversationCards,
  listOwners,
  notificationCards,
  renderForListeners,
  resolveToken,
] as const satisfies readonly AnyOperation[]
