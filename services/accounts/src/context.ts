/**
 * Creates the context of the accounts service: the context of the kernel, identity providers, and code for secrets and
 * keys.
 */

import { availableParallelism } from 'node:os'
import { type BlobStore, createBlobStore } from '@murmuration/blob'
import { userAgentOf } from '@murmuration/contracts/kit'
import type { Batcher } from '@murmuration/flow'
import {
  type BaseContext,
  blobOptionsOf,
  createStreamGrants,
  derive,
  derivePrevious,
  entriesOf,
  logReasons,
  logRefusals,
  type SecretCipher,
  type StreamGrants,
  secretCipherFor,
} from '@murmuration/kernel'
import { createOutbound } from '@murmuration/outbound'
import { hostsOf } from '@murmuration/text/own-address'
import type { calls } from './calls.js'
import { type Config, readServiceConfig } from './config.js'
import { createPasswords, type Passwords } from './core/credential/passwords.js'
import { createTokens, type Tokens } from './core/credential/secrets.js'
import { createStatusCounter, type StatusCount } from './counter/count.js'
import { createMailHosts } from './email/mail-host.client.js'
import { createMailProviders, domainsOf, type MailProviders } from './email/mail-provider.js'
import type { IdentityProvider } from './identity/provider.client.js'
import { providersOf } from './provider-settings.js'
import { createKeyPairs, type KeyPairs } from './signing-key/pairs.js'

export type Context = BaseContext<(typeof calls)[number]> & {
  readonly config: Config
  /** Hosts under which this server is reached. */
  readonly ownHosts: ReadonlySet<string>
  /** Whether other servers may be reached by http. */
  readonly allowsHttp: boolean
  /** Blob store that contains staged uploads. */
  readonly blobs: BlobStore
  /** External identity providers for sign-in, by id. */
  readonly providers: ReadonlyMap<string, IdentityProvider>
  readonly passwords: Passwords
  readonly tokens: Tokens
  readonly secretCipher: SecretCipher
  readonly streamGrants: StreamGrants
  readonly keyPairs: KeyPairs
  readonly countStatus: Batcher<StatusCount>
  readonly mailProviders: MailProviders
}

const openMailProviders = ({ policy, common }: BaseContext, config: Config): MailProviders => {
  const looksUpHosts = config.emailLookup === 'true' || (config.emailLookup === 'auto' && common.mode === 'production')
  return createMailProviders({
    allowed: domainsOf(config.emailAllowed),
    denied: domainsOf(config.emailDenied),
    access: () => policy.access(),
    hosts: looksUpHosts ? createMailHosts() : null,
  })
}

/** Creates one HTTP client per identity provider, because each client may reach only the internal addresses of its own provider. */
const openProviders = async (base: BaseContext, config: Config): Promise<ReadonlyMap<string, IdentityProvider>> => {
  const { mode } = base.common
  const plans = providersOf(config)
  if (plans.length === 0) return new Map()
  // The OpenID Connect library is loaded only if a provider is configured, because most servers have none.
  const { createIdentityProvider } = await import('./identity/provider.client.js')
  const report = logReasons(base)
  const made = plans.map((plan) => {
    const outbound = base.needs.grant('internet', () =>
      createOutbound({
        userAgent: userAgentOf(base.site.origin),
        mode,
        onRefused: logRefusals(base),
        operatorAddresses: plan.allowAddresses.split(/[\s,]+/).filter(Boolean),
        ports: 'any',
        // Outside of production, HTTP is allowed, because identity providers in tests have no TLS certificate.
        allowHttp: mode !== 'production',
        clock: base.clock,
      }),
    )
    base.onClose(`provider ${plan.id}`, () => outbound.close())
    return createIdentityProvider(plan, {
      origin: base.site.origin,
      insecure: mode !== 'production',
      outbound,
      now: () => base.clock.now(),
      report,
    })
  })
  return new Map(made.map((one) => [one.id, one]))
}

export const createContext = async (base: BaseContext<(typeof calls)[number]>): Promise<Context> => {
  const config = readServiceConfig(base.common, base.env)
  const blobs = base.needs.grant('blob', () => createBlobStore(blobOptionsOf(config)))
  base.onClose('blobs', () => blobs.close())
  return {
    ...base,
    config,
    ownHosts: hostsOf([base.site.localDomain, base.site.webDomain, ...entriesOf(base.common.alternateDomains)]),
    allowsHttp: config.allowAddresses.length > 0,
    blobs,
    mailProviders: openMailProviders(base, config),
    providers: await openProviders(base, config),
    passwords: createPasswords({ atOnce: availableParallelism() }),
    tokens: createTokens(derive(base.common, 'access tokens'), derivePrevious(base.common, 'access tokens')),
    secretCipher: secretCipherFor(base.common, 'sealed keys', logReasons(base)),
    streamGrants: createStreamGrants(base),
    countStatus: createStatusCounter(base),
    keyPairs: createKeyPairs({ spare: 2, log: base.log }),
  }
}
