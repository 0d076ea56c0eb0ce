/**
 * Harness of sign-ups: accounts with a policy that tests set, an application that creates accounts, and the e-mails
 * that are sent.
 */
import { jetstreamManager, openPolicyBucket } from '@murmuration/bus'
import { createRegistration, type LoginMail, openLoginMail, resolveToken } from '@murmuration/contracts/accounts'
import { AccessChunk, InstanceSettings } from '@murmuration/contracts/admin'
import type { Caller } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { type App, type BaseContext, service } from '@murmuration/kernel'
import { viewer } from '@murmuration/testkit'
import { type Harness, startAccounts } from './harness.js'

const policyWriter = (hold: (base: BaseContext) => void): App => ({
  manifest: service('admin', {
    database: false,
    writesPolicy: true,
    roles: { api: { scales: '', needs: [] } },
  }),
  createContext(base) {
    hold(base)
    return base
  },
})

export interface SignUpInput {
  username?: string
  email?: string
  password?: string
  agreement?: boolean | undefined
  locale?: string
  reason?: string
  time_zone?: string
  date_of_birth?: string
  invite_code?: string
}
/** Input of a new sign-up. Each call returns another user name. */
let count = 0
export const signUpInput = <S extends SignUpInput>(more?: S): S & { username: string; email: string } => {
  const name = `person${++count}`
  return {
    username: name,
    email: `${name}@mail.example`,
    password: 'a long password',
    agreement: true,
    ...(more as S),
  }
}

export interface JoiningHarness extends Harness {
  policy(settings: Partial<InstanceSettings>, access?: Partial<AccessChunk>): Promise<void>
  /** The caller of the application's own token, as the gateway passes it to services. */
  app(ip?: string): Partial<Caller>
  /** Signs a user up. Returns the bearer token, and the viewer as the gateway would resolve it. */
  join(
    more?: SignUpInput,
    ip?: string,
  ): Promise<{
    token: string
    as: Partial<Caller>
    id: string
    input: SignUpInput & { username: string; email: string }
  }>
  /** Moves the clock of accounts by an offset in milliseconds. */
  moveTo(offsetMs: number): void
  /** E-mails to an address as they would be sent, oldest first. */
  emails(to: string): Promise<LoginMail[]>
  /** The secret in the link of the newest e-mail of this kind. */
  secret(to: string, kind: LoginMail['kind']): Promise<string>
}

export const startJoining = async (env: Record<string, string> = {}): Promise<JoiningHarness> => {
  let admin: BaseContext | undefined
  const harness = await startAccounts(env, [
    policyWriter((base) => {
      admin = base
    }),
  ])
  const db = harness.db('accounts')
  await db.run(sql`insert into applications (id, client_id, secret_hash, name, redirect_uris, scopes, created_at)
    values (7, 'joining', '\\x00', 'Joining', '{}', '{read,write,follow}', now())`)
  let revision = 0
  const app = (ip = '192.0.2.1'): Partial<Caller> => ({
    viewer: null,
    app: { id: '7', tokenId: '70', scopes: ['read', 'write', 'follow'] },
    ip,
  })
  const emails = async (to: string): Promise<LoginMail[]> => {
    const rows = await db.rows<{ id: string }>(sql`select id from letters where address = ${to} order by id`)
    const opened = await Promise.all(rows.map(({ id }) => harness.call(openLoginMail, { id })))
    return opened.flatMap(({ letter }) => (letter ? [letter] : []))
  }
  return Object.assign(Object.create(harness) as Harness, {
    app,
    emails,
    moveTo(offsetMs: number) {
      harness.host.running.find((one) => one.service === 'accounts')?.ctx.clock.moveTo(offsetMs)
    },
    async policy(settings: Partial<InstanceSettings>, access: Partial<AccessChunk> = {}) {
      if (!admin) throw new Error('the writer of the policy does not run')
      const bucket = openPolicyBucket(admin.nc, await jetstreamManager(admin.nc, { checkAPI: false }), { replicas: 1 })
      const at = await bucket.position()
      const chunk = await bucket.write('access.0', JSON.stringify(AccessChunk.parse(access)), at.sequence)
      const rev = String(++revision)
      const title = `Revision ${rev}`
      const head = { settings: InstanceSettings.parse({ ...settings, site_title: title }), chunks: 0, access: 1, rev }
      await bucket.write('settings', JSON.stringify(head), chunk ?? 0)
      const policy = harness.host.running.find((one) => one.service === 'accounts')?.ctx.policy
      while (policy?.settings().site_title !== title) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    async join(more: SignUpInput = {}, ip?: string) {
      const input = signUpInput(more)
      const { access_token: token } = await harness.call(createRegistration, input, app(ip))
      const { found } = await harness.call(resolveToken, { token, ip: null })
      if (!found?.viewer) throw new Error('the token belongs to nobody')
      const { id } = found.viewer
      return {
        token,
        id,
        input,
        as: {
          ...app(ip),
          app: { id: found.appId, tokenId: found.tokenId, scopes: found.scopes },
          viewer: viewer(id, { userId: found.viewer.userId }),
        },
      }
    },
    async secret(to: string, kind: LoginMail['kind']) {
      const letter = (await emails(to)).findLast((one) => one.kind === kind)
      if (!letter?.link) throw new Error(`no letter ${kind} with a link for ${to}`)
      return new URL(letter.link).searchParams.values().next().value ?? ''
    },
  })
}
