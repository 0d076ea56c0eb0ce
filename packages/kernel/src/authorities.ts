/** Certificate authorities that every TLS client of a process trusts, besides the public ones that Node.js contains. */
import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { CommonConfig } from './config.js'
import { ConfigError } from './settings.js'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * Trusts the authorities of EXTRA_CA_FILE in all TLS connections that begin later. The clients of PostgreSQL, NATS, Redis, S3 and
 * HTTP have no authorities of their own.
 */
export const trustAuthorities = ({ extraCaFile }: Pick<CommonConfig, 'extraCaFile'>): void => {
  if (extraCaFile === '') return
  const given = readFileSync(extraCaFile, 'utf8').match(CERTIFICATE) ?? []
  try {
    setDefaultCACertificates([...new Set([...getCACertificates('default'), ...given])])
  } catch (error) {
    throw new ConfigError(`EXTRA_CA_FILE contains a certificate that cannot be read: ${(error as Error).message}`)
  }
}
