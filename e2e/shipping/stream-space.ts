/** The space that NATS reserves for all streams of the product, and the space that a configuration of NATS has. */
import { commonSettings, readConfig, streamsOf } from '@murmuration/kernel'
import { loadAll } from '../../bin/services.js'

/** Names of the streams of all services. */
export const streamNames = [
  ...new Set((await loadAll()).flatMap(({ manifest }) => streamsOf(manifest)).map((stream) => stream.name)),
].sort()

/** Bytes of one stream without NATS_STREAM_BYTES. */
export const { natsStreamBytes: defaultStreamBytes } = readConfig(
  { natsStreamBytes: commonSettings.natsStreamBytes },
  {},
)

const UNITS = { MB: 2 ** 20, GB: 2 ** 30 }

/** Bytes of `max_file_store` in a configuration of NATS; 0 without it. */
export const spaceOf = (configuration: string): number => {
  const found = /\bmax_file_store: (\d+)(MB|GB)\b/.exec(configuration)
  return found ? Number(found[1]) * UNITS[found[2] as keyof typeof UNITS] : 0
}
