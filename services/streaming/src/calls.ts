/** Operations of other services that streaming may call. A call of an operation that is not listed is a type error. */
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
