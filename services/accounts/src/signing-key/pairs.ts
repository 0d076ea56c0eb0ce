/** RSA key pairs for signing: made on libuv's pool, with a few in reserve so that nobody waits for one. */
import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'

export interface KeyPair {
  publicPem: string
  privatePem: string
}
export interface KeyPairs {
  take(): Promise<KeyPair>
}

const generate = promisify(generateKeyPair)

const make = async (): Promise<KeyPair> => {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { publicPem: publicKey, privatePem: privateKey }
}

/** The reserve fills after the first one was taken, as many processes never need any. */
export const createKeyPairs = (options: {
  spare: number
  log: { warn(data: object, text: string): void }
}): KeyPairs => {
  const ready: KeyPair[] = []
  let filling = false
  const fill = async () => {
    while (ready.length < options.spare) ready.push(await make())
  }
  const refill = () => {
    if (filling) return
    filling = true
    fill()
      .catch((error) => options.log.warn({ error }, 'no key pair could be made in reserve'))
      .finally(() => {
        filling = false
      })
  }
  return {
    async take() {
      const pair = ready.shift() ?? (await make())
      refill()
      return pair
    },
  }
}
