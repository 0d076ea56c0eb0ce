/** Test harness for the pages below `/admin`: a server with an owner account. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { createAccountByOperator, createTokenByOperator } from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { ALL_PERMISSIONS, DEFAULT_ROLES } from '@murmuration/contracts/permissions'
import type { App } from '@murmuration/kernel'
import { app as media } from '@murmuration/media'
import { app as notifications } from '@murmuration/notifications'
import { app as statuses } from '@murmuration/statuses'
import { viewer } from '@murmuration/testkit'
import type { Browser, Submission, Visit } from '@murmuration/testkit/browser/forms'
import { app as gateway } from '../src/main.js'
import { federation, type Harness, PASSWORD, signInBrowser, startHarness } from './harness.js'

export interface StaffHarness extends Harness {
  /** The account `boss` with the role Owner. */
  readonly owner: Viewer
  make(username: string, role?: string): Promise<{ id: string; token: string }>
  signIn(username: string): Promise<Browser>
  open(by: Browser, path: string): Promise<Visit>
  /** Submits the form of the current page with this path and button. */
  press(by: Browser, path: string, submission: Submission): Promise<Visit>
}

/**
 * Starts the harness.
 * @param more services besides those that the pages need; the default is the federation stub
 */
export const startStaffHarness = async (
  env: Record<string, string> = {},
  more: readonly App[] = [federation],
): Promise<StaffHarness> => {
  const server = await startHarness({ MEDIA_FFMPEG: 'off', ...env }, [
    gateway,
    accounts,
    statuses,
    media,
    notifications,
    admin,
    ...more,
  ])
  const make = async (username: string, role?: string) => {
    const email = `${username}@mail.example`
    const input = { username, email, password: PASSWORD, confirmed: true, ...(role ? { role } : {}) }
    const { id } = await server.call(createAccountByOperator, input)
    const scopes = 'read write admin:read admin:write'
    return { id, token: (await server.call(createTokenByOperator, { username, scopes })).token }
  }
  const owner = viewer((await make('boss', 'Owner')).id, {
    permissions: ALL_PERMISSIONS,
    position: DEFAULT_ROLES.owner.position,
  })
  const open = (by: Browser, path: string) => by.get(server.origin + path)
  return Object.assign(Object.create(server) as Harness, {
    owner,
    make,
    open,
    signIn: (username: string) => signInBrowser(server, username),
    press(by: Browser, path: string, submission: Submission) {
      const { forms } = by.page()
      const fits = forms.filter((one) => new URL(one.action).pathname === path)
      const wanted = submission.button
      const form =
        (wanted === undefined
          ? undefined
          : fits.find((one) => one.buttons.some((each) => each.text.includes(wanted)))) ?? fits[0]
      if (!form) throw new Error(`no form to ${path}: ${forms.map((one) => one.action).join(' ')}`)
      return by.submit(form, submission)
    },
  })
}
