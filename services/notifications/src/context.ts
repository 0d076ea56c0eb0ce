/**
 * Creates the context of handlers: the context of the kernel, a cache of account cards, and clients for push services
 * and SMTP.
 */

import { type CardCache, createCardCache } from '@murmuration/cards'
import { accountCards, accountInvalidation, statusCountInvalidation } from '@murmuration/contracts/accounts'
import { STRIKE_LINK } from '@murmuration/contracts/admin'
import type { Account } from '@murmuration/contracts/entities'
import { userAgentOf } from '@murmuration/contracts/kit'
import {
  type BaseContext,
  createStreamGrants,
  derive,
  logReasons,
  logRefusals,
  type SecretCipher,
  type StreamGrants,
  secretCipherFor,
} from '@murmuration/kernel'
import { createOutbound } from '@murmuration/outbound'
import { asciiEmail } from '@murmuration/text'
import type { calls } from './calls.js'
import { type Config, readServiceConfig } from './config.js'
import { createMailClient, type MailClient } from './mail/send.client.js'
import { createPushClient, type PushClient } from './push/client.js'

type Base = BaseContext<(typeof calls)[number]>

export type Context = Base & {
  readonly config: Config
  readonly accountCards: CardCache<Account>
  readonly streamGrants: StreamGrants
  readonly push: PushClient
  readonly mail: MailClient
  /** Cipher that encrypts the access tokens of push subscriptions. */
  readonly secretCipher: SecretCipher
  /** Keys that sign links: to unsubscribe from push messages, to unsubscribe from e-mails, and to see a strike. */
  readonly secrets: {
    readonly unsubscribe: string
    readonly mail: string
    readonly strikeLink: string
  }
}

const openPush = (base: Base, config: Config): PushClient => {
  const local = config.allowAddresses.length > 0
  const onRefused = logRefusals(base)
  const outbound = base.needs.grant('internet', () =>
    createOutbound({
      userAgent: userAgentOf(base.site.origin),
      mode: base.common.mode,
      onRefused,
      allowPrivate: local,
      allowAddresses: [...config.allowAddresses],
      allowHttp: local,
      ports: local ? 'any' : [443],
      clock: base.clock,
    }),
  )
  base.onClose('outbound', () => outbound.close())
  return createPushClient({
    outbound,
    onRefused,
    report: logReasons(base),
    publicKey: config.vapidPublicKey,
    privateKey: config.vapidPrivateKey,
    allowAddresses: config.allowAddresses,
    contact: () =>
      `mailto:${asciiEmail(base.policy.settings().site_contact_email) || `postmaster@${new URL(base.site.origin).hostname}`}`,
  })
}

const openMail = (base: Base, config: Config): MailClient => {
  const client = createMailClient({
    config,
    localDomain: base.site.localDomain,
    production: base.common.mode === 'production',
    siteTitle: () => base.policy.settings().site_title,
    log: base.log,
  })
  base.onClose('mail', () => client.close())
  return client
}

export const createContext = async (base: Base): Promise<Context> => {
  const config = readServiceConfig(base.common, base.env)
  const accounts = createCardCache<Account>({
    load: (ids) => base.call(accountCards, { ids }),
    now: base.clock.now,
  })
  base.invalidations.subscribe(accountInvalidation, accounts.invalidate)
  base.invalidations.subscribe(statusCountInvalidation, accounts.invalidate)
  return {
    ...base,
    config,
    accountCards: accounts,
    streamGrants: createStreamGrants(base),
    push: openPush(base, config),
    mail: base.needs.grant('smtp', () => openMail(base, config)),
    secretCipher: secretCipherFor(base.common, 'notifications:push-token', logReasons(base)),
    secrets: {
      unsubscribe: derive(base.common, 'notifications:unsubscribe'),
      mail: derive(base.common, 'notifications:mail-unsubscribe'),
      strikeLink: derive(base.common, STRIKE_LINK),
    },
  }
}
