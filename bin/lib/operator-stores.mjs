/**
 * Checks the addresses of PostgreSQL, NATS and Redis servers that the operator runs. An invalid or unreachable address
 * stops the start with one sentence.
 */
import { connect } from 'node:net'
import { refusal } from './say.mjs'

const respondsWithin = 5_000

/** Name of the server, allowed URL schemes and default port, by environment variable. */
const kinds = {
  DATABASE_URL: { server: 'PostgreSQL', schemes: ['postgres:', 'postgresql:'], port: 5432 },
  NATS_URL: { server: 'NATS', schemes: ['nats:', 'tls:'], port: 4222 },
  REDIS_URL: { server: 'Redis', schemes: ['redis:', 'rediss:'], port: 6379 },
}

/**
 * Checks the server addresses in DATABASE_URL, NATS_URL and REDIS_URL, if they are set. Throws one error with all problems.
 * @param {Record<string, string | undefined>} env
 */
export async function checkOperatorStores(env) {
  const given = Object.keys(kinds).filter((name) => env[name])
  for (const sentence of await Promise.all(given.map((name) => problemOf(name, env[name])))) {
    if (sentence) throw refusal(sentence)
  }
}

/**
 * Returns the problem of a server address, or null. If several servers are given, one reachable server suffices. A Unix
 * socket is not checked.
 */
async function problemOf(name, value) {
  const { server, schemes, port } = kinds[name]
  const urls = value.split(',').map((one) => (URL.canParse(one) ? new URL(one) : null))
  if (urls.some((url) => url === null || !schemes.includes(url.protocol))) {
    return `${name} is no address of ${server}: it must begin with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`
  }
  const hosts = urls.map((url) => ({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || port }))
  if (hosts.some(({ host }) => host === '')) return null
  if ((await Promise.all(hosts.map(responds))).includes(true)) return null
  const where = hosts.map(({ host, port }) => `${host}:${port}`).join(', ')
  return `${server} does not respond at ${name} (${where}): start it there, or leave ${name} out to have one brought up.`
}

const responds = (place) =>
  new Promise((resolve) => {
    const socket = connect({ ...place, timeout: respondsWithin })
    const end = (reached) => {
      socket.destroy()
      resolve(reached)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
