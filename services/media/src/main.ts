/** The media service, ready to run: attachments and pictures: taken in, made safe, kept and served. */
import type { App } from '@murmuration/kernel'
import { createContext } from './context.js'
import { manifest } from './manifest.js'

export const app: App = { manifest, createContext }
