/** What accounts code is given: the kernel's base and what makes and checks secrets. */
import { availableParallelism } from 'node:os'
import { type BaseContext, derive } from '@murmuration/kernel'
import { type Config, readServiceConfig } from './config.js'
import type { calls } from './manifest.js'
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
}

export const createContext = async (base: BaseContext<(typeof calls)[number]>): Promise<Context> => ({
  ...base,
  config: readServiceConfig(base.env),
  passwords: createPasswords({ atOnce: availableParallelism() }),
  tokens: createTokens(derive(base.common, 'access tokens')),
  seal: createSeal(derive(base.common, 'sealed keys')),
  keyPairs: createKeyPairs({ spare: 2, log: base.log }),
})
