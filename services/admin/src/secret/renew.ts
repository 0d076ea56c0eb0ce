/**
 * The task that encrypts all stored secrets with SECRET_KEY_BASE, after which SECRET_KEY_BASE_PREVIOUS can be removed.
 * Each service encrypts its own secrets.
 */
import { renewAccountSecrets } from '@murmuration/contracts/accounts'
import { renewPushSecrets } from '@murmuration/contracts/notifications'
import { renewSecretPage, taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { webhookSecrets } from '../webhook/index.js'

interface Page {
  next: string | null
  seen: number
  renewed: number
  unreadable: number
}

type Renew = (ctx: Context, step: { after: string; dryRun: boolean }) => Promise<Page>

const OWNERS: Readonly<Record<string, Renew>> = {
  admin: (ctx, step) => renewSecretPage(ctx.webhooks.secretCipher, webhookSecrets(ctx.db), step),
  accounts: (ctx, { after, dryRun }) => ctx.call(renewAccountSecrets, { after, dry_run: dryRun }),
  notifications: (ctx, { after, dryRun }) => ctx.call(renewPushSecrets, { after, dry_run: dryRun }),
}
const NAMES = Object.keys(OWNERS)

export const renewSecretsKind = taskKind<Context>()<Record<string, never>, Page>({
  name: 'renew-secrets',
  permission: 'administrator',
  act: () => ({ action: 'renew_secrets', target: '' }),
  // Each page is stored in a transaction of its service. A repeated page finds its secrets renewed, and counts them as
  // seen only.
  async prepare(ctx, { after, dryRun }) {
    const [name = NAMES[0] as string, rest = ''] = after === '' ? [] : after.split(/:(.*)/s)
    const renew = OWNERS[name]
    if (renew === undefined) throw new Error(`no service ${name} has secrets`)
    const page = await renew(ctx, { after: rest, dryRun })
    const following = NAMES[NAMES.indexOf(name) + 1]
    const next = page.next !== null ? `${name}:${page.next}` : following === undefined ? null : `${following}:`
    return { ...page, next }
  },
  apply: async (_ctx, _tx, _step, { next, seen, renewed, unreadable }) => ({
    next,
    seen,
    changed: renewed,
    notes: { unreadable },
  }),
})
