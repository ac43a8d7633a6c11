/** How a build is signed where there is no certificate. */
import type { Configuration } from 'electron-builder';

/** Whether a Mac's build is signed with a developer's certificate, which electron-builder reads from these. */
export function hasMacCertificate(env: NodeJS.ProcessEnv): boolean {
  return [env.CSC_LINK, env.CSC_NAME].some(Boolean);
}

/**
 * Changes of electron-builder.yml. Apple silicon starts nothing without a signature, and setting the fuses breaks the
 * one that Electron came with. One without a certificate names no team, so the hardened runtime would let the program
 * load none of its own libraries.
 */
export function unsignedChanges(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Configuration {
  if (platform !== 'darwin' || hasMacCertificate(env)) return {};
  return { mac: { identity: '-', hardenedRuntime: false, notarize: false } };
}
