/** Settings of federation. */
import {
  allowedAddressesOf,
  blobSettings,
  bool,
  type ConfigOf,
  int,
  outboundSettings,
  readConfig,
  registrationSettings,
  type Settings,
} from '@murmuration/kernel'

export const settings = {
  ...blobSettings,
  authorizedFetch: bool('AUTHORIZED_FETCH', {
    or: false,
    about: 'Documents are shown only to servers that sign their requests.',
  }),
  limitedFederation: bool('LIMITED_FEDERATION_MODE', {
    or: false,
    about: 'Requests are exchanged only with servers on the allow list; implies AUTHORIZED_FETCH.',
  }),
  ...outboundSettings,
  ...registrationSettings,
  deliveriesInFlight: int('DELIVERIES_IN_FLIGHT', {
    or: 1_024,
    min: 4,
    max: 10_000,
    about: 'Deliveries to other servers in flight at once in one process.',
  }),
  deliveryTimeoutMs: int('DELIVERY_TIMEOUT_MS', {
    or: 15_000,
    min: 100,
    max: 60_000,
    about: 'Milliseconds until a delivery without a response times out.',
  }),
} satisfies Settings

export type Config = Omit<ConfigOf<typeof settings>, 'allowAddresses'> & { readonly allowAddresses: readonly string[] }

export const readServiceConfig = (mode: string, env: NodeJS.ProcessEnv): Config => {
  const config = readConfig(settings, env)
  return { ...config, allowAddresses: allowedAddressesOf(config, mode) }
}
