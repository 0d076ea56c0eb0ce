/** HTML pages, server-rendered and usable without JavaScript: one Express app for what the API does not answer. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { guardResponse } from '../edge/headers.js'
import { requestIdOf } from '../edge/request-id.js'
import { addAbout } from './about.js'
import { addAdmin } from './admin/index.js'
import { addAppeal } from './appeal.js'
import { addArrival } from './arrival.js'
import { loadAssets } from './assets.js'
import { addAuthorize } from './authorize.js'
import { addCollection } from './collection.js'
import { addEmbed } from './embed.js'
import { addFiles } from './files.js'
import { addHome } from './home/index.js'
import { addJoining } from './joining/index.js'
import { addLanding } from './landing.js'
import { addProfile } from './profile.js'
import { addProviderSignIn } from './provider-sign-in.js'
import { providersOf } from './providers.js'
import { addReference } from './reference.js'
import { addSecondStep } from './second-step.js'
import { createSessions } from './session.js'
import { addApplications } from './settings/applications.js'
import { addCleanup } from './settings/cleanup.js'
import { createSettings } from './settings/desk.js'
import { addExports } from './settings/export.js'
import { addSettingsHome } from './settings/home.js'
import { addImports } from './settings/import.js'
import { addMigration } from './settings/migration.js'
import { addPreferences } from './settings/preference.js'
import { addProviders } from './settings/providers.js'
import { addSecondFactor } from './settings/second-factor.js'
import { addSecurityKeys } from './settings/security-key.js'
import { addSessions } from './settings/sessions.js'
import { addSeverances } from './settings/severance.js'
import { addStrikes } from './settings/strikes.js'
import { addSignIn } from './sign-in.js'
import { addSiteFiles } from './site-files.js'
import { addStatus } from './status.js'
import { addTag } from './tag.js'
import { addTagged } from './tagged.js'
import { type House, nothingHere, pagesOn, refusePage } from './visit.js'
import { addWebClient } from './web-client.js'

export interface PageServer {
  handle(req: IncomingMessage, res: ServerResponse): void
  /** Requests in hand. */
  inHand(): number
}

export const createPages = async (house: House): Promise<PageServer> => {
  const { ctx, observe } = house
  const assets = await loadAssets(ctx.site.https)
  const sessions = createSessions(ctx)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.set('case sensitive routing', true)
  const pages = pagesOn(app, house)
  const settings = createSettings(pages, sessions)
  addLanding(pages, sessions)
  addAbout(pages)
  addArrival(pages)
  addSignIn(pages, sessions)
  addSecondStep(pages, sessions)
  addProviderSignIn(pages, sessions)
  addSettingsHome(settings)
  addPreferences(settings)
  addCleanup(settings)
  addSecondFactor(settings)
  if (providersOf(ctx.config).length > 0) addProviders(settings)
  addSecurityKeys(settings)
  addSessions(settings)
  addApplications(settings)
  addExports(settings)
  addImports(settings)
  addMigration(settings)
  addSeverances(settings)
  addStrikes(settings)
  addAppeal(pages, sessions)
  addJoining(pages, settings, sessions)
  addAuthorize(pages, sessions)
  addHome(pages, sessions, house.edge)
  addAdmin(pages, sessions, house.edge)
  addProfile(pages)
  addStatus(pages)
  addEmbed(pages)
  addTag(pages)
  addCollection(pages)
  addTagged(pages)
  addFiles(pages)
  addReference(pages)
  addSiteFiles(pages)
  addWebClient(pages, sessions)
  app.use((req, res) => {
    const startedAt = performance.now()
    const requestId = requestIdOf(req)
    refusePage(ctx, res, nothingHere(), requestId)
    observe({ method: req.method, route: 'none', status: res.statusCode, startedAt, requestId })
  })
  // Express tells of broken addresses by calling this; its own page would show more than it should.
  app.use((error: unknown, req: express.Request, res: express.Response, _next: express.NextFunction) => {
    const broken = error instanceof URIError || (error as { status?: number }).status === 400
    refusePage(ctx, res, broken ? nothingHere() : error, requestIdOf(req))
  })
  return {
    inHand: pages.inHand,
    handle(req, res) {
      const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
      const startedAt = performance.now()
      if (assets(path, req, res))
        observe({
          method: req.method ?? '',
          route: path,
          status: res.statusCode,
          startedAt,
          requestId: requestIdOf(req),
        })
      else {
        guardResponse(res, ctx.site.https)
        app(req as express.Request, res as express.Response)
      }
    },
  }
}
