/** What notifications code is given: the kernel's base, account cards, and the way out to push services. */
import { type CardCache, createCardCache } from '@murmuration/cards'
import { accountCards, accountHint } from '@murmuration/contracts/accounts'
import type { Account } from '@murmuration/contracts/entities'
import { type BaseContext, derive } from '@murmuration/kernel'
import { createOutbound } from '@murmuration/outbound'
import { type Config, readServiceConfig } from './config.js'
import type { calls } from './manifest.js'
import { createPushDoor, type PushDoor } from './outside/push.js'

type Base = BaseContext<(typeof calls)[number]>

export type Context = Base & {
  readonly config: Config
  readonly accountCards: CardCache<Account>
  readonly push: PushDoor
  /** Keys of this service: one seals bearer tokens, one signs unsubscribe addresses. */
  readonly secrets: { readonly token: string; readonly unsubscribe: string }
}

const openPush = (base: Base, config: Config): PushDoor => {
  const local = config.allowAddresses.length > 0
  const outbound = createOutbound({
    userAgent: `Murmuration/4.6.0 (+${base.site.origin}/)`,
    mode: base.common.mode,
    allowPrivate: local,
    allowAddresses: [...config.allowAddresses],
    allowHttp: local,
    ports: local ? 'any' : [443],
    clock: base.clock,
  })
  base.onClose('outbound', () => outbound.close())
  return createPushDoor({
    outbound,
    publicKey: config.vapidPublicKey,
    privateKey: config.vapidPrivateKey,
    allowAddresses: config.allowAddresses,
    contact: () =>
      `mailto:${base.policy.settings().site_contact_email || `postmaster@${new URL(base.site.origin).hostname}`}`,
  })
}

export const createContext = async (base: Base): Promise<Context> => {
  const config = readServiceConfig(base.common, base.env)
  const accounts = createCardCache<Account>({ load: (ids) => base.call(accountCards, { ids }) })
  base.hints.hear(accountHint, accounts.forget)
  return {
    ...base,
    config,
    accountCards: accounts,
    push: openPush(base, config),
    secrets: {
      token: derive(base.common, 'notifications:push-token'),
      unsubscribe: derive(base.common, 'notifications:unsubscribe'),
    },
  }
}
