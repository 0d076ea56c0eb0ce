/** What operators may set for federation. */
import {
  blobSettings,
  blocks,
  bool,
  ConfigError,
  type ConfigOf,
  domains,
  file,
  int,
  readConfig,
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
    about: 'Only servers on the allow list are talked to; implies AUTHORIZED_FETCH.',
  }),
  alternateDomains: domains('ALTERNATE_DOMAINS', {
    or: '',
    about: 'Other domains whose handles mean people here, comma separated.',
  }),
  allowAddresses: blocks('OUTBOUND_ALLOW_ADDRESSES', {
    or: '',
    about:
      'Private address blocks (CIDR, comma separated) that may be reached, for test networks; refused in production.',
  }),
  extraCaFile: file('EXTRA_CA_FILE', {
    or: '',
    about: 'PEM file of certificate authorities to trust besides the system’s.',
  }),
  deliveriesInFlight: int('DELIVERIES_IN_FLIGHT', {
    or: 1_024,
    min: 4,
    max: 10_000,
    about: 'Deliveries to other servers on the way at once in one process.',
  }),
  deliveryTimeoutMs: int('DELIVERY_TIMEOUT_MS', {
    or: 15_000,
    min: 100,
    max: 60_000,
    about: 'Milliseconds that a server has to take a delivery.',
  }),
} satisfies Settings

export type Config = ConfigOf<typeof settings>

/** The comma separated entries of a setting. */
export const entriesOf = (value: string): string[] =>
  value
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

export const readServiceConfig = (mode: string, env: NodeJS.ProcessEnv): Config => {
  const config = readConfig(settings, env)
  if (mode === 'production' && config.allowAddresses)
    throw new ConfigError('OUTBOUND_ALLOW_ADDRESSES is set: production never reaches private addresses.')
  return config
}
