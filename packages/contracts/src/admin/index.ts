/** What admin promises. */
export * from './policy.js'
