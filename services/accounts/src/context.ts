/** What accounts code is given: the kernel's base and what makes and checks secrets. */
import { availableParallelism } from 'node:os'
import { type BaseContext, derive } from '@murmuration/kernel'
import { type Config, readServiceConfig } from './config.js'
import type { calls } from './manifest.js'
import { createMailHosts } from './outside/mail-host.js'
import { createMailProviders, domainsOf, type MailProviders } from './outside/mail-provider.js'
import { createKeyPairs, type KeyPairs } from './secrets/key-pairs.js'
import { createPasswords, type Passwords } from './secrets/passwords.js'
import { createSeal, type Seal } from './secrets/seal.js'
import { createTokens, type Tokens } from './secrets/tokens.js'

export type Context = BaseContext<(typeof calls)[number]> & {
  readonly config: Config
  readonly passwords: Passwords
  readonly tokens: Tokens
  readonly seal: Seal
  readonly keyPairs: KeyPairs
  readonly mailProviders: MailProviders
}

const openMailProviders = ({ policy, common }: BaseContext, config: Config): MailProviders => {
  const asks = config.emailLookup === 'true' || (config.emailLookup === 'auto' && common.mode === 'production')
  return createMailProviders({
    allowed: domainsOf(config.emailAllowed),
    denied: domainsOf(config.emailDenied),
    access: () => policy.access(),
    hosts: asks ? createMailHosts() : null,
  })
}

export const createContext = async (base: BaseContext<(typeof calls)[number]>): Promise<Context> => {
  const config = readServiceConfig(base.env)
  return {
    ...base,
    config,
    mailProviders: openMailProviders(base, config),
    passwords: createPasswords({ atOnce: availableParallelism() }),
    tokens: createTokens(derive(base.common, 'access tokens')),
    seal: createSeal(derive(base.common, 'sealed keys')),
    keyPairs: createKeyPairs({ spare: 2, log: base.log }),
  }
}
