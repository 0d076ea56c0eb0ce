/** Frame of the pages below `/admin`: authorization, navigation, and CSRF-protected forms. */
import { buffer } from 'node:stream/consumers'
import type { BlobStore } from '@murmuration/blob'
import type { SessionUser } from '@murmuration/contracts/accounts'
import { ErrorText, Failure, fail } from '@murmuration/contracts/kit'
import { can, type PermissionName } from '@murmuration/contracts/permissions'
import { MAX_STAFF_FORM } from '../../edge/input/body-size.js'
import type { StagedFile } from '../../edge/input/multipart.js'
import type { Edge } from '../../edge/serve.js'
import { asRefusal } from '../core/blob-response.js'
import { type CallApi, createCallApi, STAFF_SCOPES } from '../core/call-api.js'
import { failureMessage } from '../core/error-message.js'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { sendPage } from '../core/layout.js'
import { obstacleOf } from '../core/own-account.js'
import type { PageRequest, Pages } from '../core/page-request.js'
import { redirect } from '../core/redirect.js'
import { carryOutOnce } from '../core/repeated-form.js'
import type { Sessions } from '../core/session.js'
import { type AdminLinkId, adminNavigation, isStaff } from '../core/staff-navigation.js'
import { readUpload } from '../core/upload.js'
import { isRefusal, refusalTitle, refusedStatus } from './refusal.js'

interface Shown {
  readonly title: string
  /** Heading of the page; the title by default. */
  readonly heading?: Html
  /** Breadcrumb links above the heading. */
  readonly above?: Html
  readonly body: Html
  readonly current?: AdminLinkId
  /** Error message of a refused form. The response then has the status of the refusal, or 422. */
  readonly problem?: string | null
  /**
   * True if the body of the page contains the error message of a refused form. The status of the response is then the
   * same as with `problem`.
   */
  readonly refused?: boolean
  readonly status?: number
}

export type Fields = Readonly<Record<string, unknown>>

/** A request of a signed-in account whose role has any page below `/admin`. */
export interface StaffRequest extends PageRequest {
  readonly user: SessionUser
  readonly callApi: CallApi
  /** The hidden CSRF field that every form needs. */
  readonly csrfField: Html
  /** Time of the request in milliseconds since 1970. */
  readonly now: number
  may(permission: PermissionName): boolean
  show(page: Shown): void
  /**
   * Redirects (303) to a path on this server, and shows `text` there once. After a refusal, sends `text` as a page with
   * the status of the refusal.
   */
  done(path: string, text?: string): void
}

export type StaffPage = (request: StaffRequest, form: Fields) => Promise<void> | void

export interface Admin {
  /** Adds a page for staff whose role has this permission; null means any staff. `form` is empty for `get`. */
  add(method: 'get' | 'post', path: string, permission: PermissionName | null, page: StaffPage): void
  /**
   * Adds a POST route for a form with one file of at most `bytes` bytes in the field `file`. The file is deleted after the
   * handler ended. `refuse` shows the form again, for example if the file is too large.
   */
  addUpload(
    path: string,
    permission: PermissionName,
    take: { bytes: number; refuse: RefusedPage },
    page: UploadPage,
  ): void
  /**
   * Registers all routes in the order in which they were added. If a form is posted to a path without a page, a GET of this path
   * redirects to the page above. Because the response to a form stays at this path, browsers open it again from their history.
   */
  register(): void
}

type RefusedPage = (request: StaffRequest, form: Fields, problem: string) => Promise<void> | void
/** Handler of a form with a file. `read` returns the bytes of the file; null if the form has no file. */
export type UploadPage = (request: StaffRequest, form: Fields, read: () => Promise<Buffer | null>) => Promise<void>

export { attempt, orNotFound, refusalOf } from './refusal.js'

const backTo = (path: string): Html => html`<p class="card"><a href="${path}">${t('Back without a change')}</a></p>`

/** Returns the bytes of an uploaded file; null if no file was chosen. Browsers send an empty file in that case. */
const readStaged = async (blobs: Pick<BlobStore, 'get'>, file: StagedFile | undefined): Promise<Buffer | null> => {
  if (!file || file.size === 0) return null
  const refused = (error: unknown) => Promise.reject(asRefusal(error))
  const blob = await blobs.get(file.key).catch(refused)
  return blob === null ? null : buffer(blob.body).catch(refused)
}

export const createAdmin = (pages: Pages, sessions: Sessions, edge: Edge): Admin => {
  const staffRequest = (request: PageRequest, user: SessionUser): StaffRequest => {
    const { ctx, req, res, ip } = request
    const csrfField = sessions.csrfField(req, res)
    const { permissions } = user.viewer
    const show: StaffRequest['show'] = ({ title, heading, above, body, current, problem, refused, status }) => {
      const flash = sessions.takeFlash(req, res)
      sendPage(ctx, res, {
        title,
        status: status ?? (problem || refused ? (refusedStatus() ?? 422) : 200),
        indexed: false,
        shape: 'staff',
        viewer: { username: user.username, csrfField },
        body: html`${adminNavigation(current, permissions)}<div class="pages">${
          above ? html`<p class="crumbs">${above}</p>` : ''
        }<h1>${heading ?? title}</h1>${flash ? html`<p class="flash" role="status">${flash}</p>` : ''}${
          problem ? html`<p class="flash wrong" role="alert">${problem}</p>` : ''
        }${body}</div>`,
      })
    }
    return {
      ...request,
      user,
      csrfField,
      now: Date.now(),
      callApi: createCallApi(edge, user, { ip, userAgent: req.headers['user-agent'] ?? null }, STAFF_SCOPES),
      may: (permission) => can(permissions, permission),
      show,
      done(path, text) {
        const refused = refusedStatus()
        if (refused !== undefined && text !== undefined)
          return show({ title: refusalTitle(refused), status: refused, problem: text, body: backTo(path) })
        if (text !== undefined) sessions.flash(res, text)
        redirect(res, path, 303)
      },
    }
  }
  /**
   * Returns the page context of a staff account. For anonymous visitors, sends a redirect to sign-in and returns null.
   * Throws `forbidden` for users who are not staff.
   */
  const enter = async (request: PageRequest): Promise<StaffRequest | null> => {
    const { req, res } = request
    const user = await sessions.user(req)
    if (user === null) {
      const back = req.method === 'POST' ? '/admin' : req.originalUrl
      redirect(res, `/auth/sign_in?next=${encodeURIComponent(back)}`, 303)
      return null
    }
    const obstacle = obstacleOf(user.needsFactor ? 'factor' : user.state)
    if (obstacle !== undefined) throw new Failure('forbidden', new ErrorText(String(obstacle)))
    if (!isStaff(user.viewer.permissions)) throw fail('forbidden', 'This page is for the staff of this server.')
    return staffRequest(request, user)
  }
  const refuse = (request: StaffRequest): void =>
    request.show({
      title: t('Not allowed'),
      status: 403,
      body: html`<div class="card"><p role="alert">${t('Your role does not include this. An administrator can change the permissions of your role.')}</p><p><a href="/admin">${t('Back to the dashboard')}</a></p></div>`,
    })
  /** Returns the page context like `enter`, and checks the permission. Returns null if it sent a response itself. */
  const admitted = async (request: PageRequest, permission: PermissionName | null): Promise<StaffRequest | null> => {
    const entered = await enter(request)
    if (entered === null || permission === null || entered.may(permission)) return entered
    refuse(entered)
    return null
  }
  /** Runs the handler of a page. If an operation refuses its request, the refusal is sent as a page. */
  const run = async (request: StaffRequest, page: () => Promise<void> | void): Promise<void> => {
    try {
      await page()
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (error.code === 'forbidden') return refuse(request)
      const problem = failureMessage(error)
      request.show({ title: refusalTitle(error.status), status: error.status, problem, body: backTo('/admin') })
    }
  }
  const routes: Parameters<Pages['add']>[] = []
  return {
    add: (method, path, permission, page) => {
      routes.push([
        method,
        path,
        async (request) => {
          const entered = await admitted(request, permission)
          if (entered === null) return
          const form = method === 'get' ? {} : await sessions.form(request.req, MAX_STAFF_FORM)
          const work = () => run(entered, () => page(entered, form))
          if (method === 'get') return work()
          await carryOutOnce(edge.idempotency, request, { account: entered.user.viewer.id, form }, work)
        },
        method === 'get' ? 'page' : 'write',
      ])
    },
    addUpload: (path, permission, { bytes, refuse: refuseFile }, page) => {
      routes.push([
        'post',
        path,
        async (request) => {
          const { ctx } = request
          const entered = await admitted(request, permission)
          if (entered === null) return
          const { problem, form, files } = await readUpload(request, sessions, { files: ['file'], bytes })
          if (problem !== null) return run(entered, () => refuseFile(entered, form, problem))
          const { file } = files
          try {
            const work = () => run(entered, () => page(entered, form, () => readStaged(ctx.blobs, file)))
            await carryOutOnce(edge.idempotency, request, { account: entered.user.viewer.id, form, files }, work)
          } finally {
            if (file) await ctx.staging.delete([file.key]).catch(() => undefined)
          }
        },
        'upload',
      ])
    },
    register: () => {
      const shown = new Set(routes.filter(([method]) => method === 'get').map(([, path]) => path))
      for (const route of routes) {
        const [, path] = route
        if (!shown.has(path))
          pages.add('get', path, ({ req, res }) => redirect(res, req.path.replace(/\/[^/]*\/?$/, ''), 303))
        pages.add(...route)
      }
    },
  }
}
