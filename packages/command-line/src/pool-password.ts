/** Takes the password of a pool's queue from places where other users of this machine do not see it. */
import { readText } from './local-files.ts';
import { t } from './text.ts';

export const passwordVariable = 'ENLARGER_POOL_PASSWORD';

interface PasswordPlaces {
  /** An option names this file, which takes precedence over the environment. */
  passwordFile?: string | undefined;
  env: NodeJS.ProcessEnv;
  warn: (line: string) => void;
}

/** Returns the address with the password in it. A password that is in it already stays, with a warning. */
export async function withPassword(
  address: string,
  { passwordFile, env, warn }: PasswordPlaces,
): Promise<string> {
  const url = URL.parse(address);
  const given =
    passwordFile === undefined ? (env[passwordVariable] ?? '') : await readPassword(passwordFile);
  if (url !== null && url.password !== '') {
    if (passwordFile !== undefined)
      throw new Error(
        t('Expected the password in the address or in --password-file, not in both.'),
      );
    warn(
      t(
        'Other users of this machine see the password in the address while this command runs: leave it out, and give it by --password-file or {variable}.',
        { variable: passwordVariable },
      ),
    );
    return address;
  }
  // The service refuses a text that is no address, in its own words.
  if (given === '' || url === null || url.hostname === '') return address;
  url.password = encodeURIComponent(given);
  return url.href;
}

/** Warns of a secret in the storage's address: S3's official client also finds its keys elsewhere. */
export function warnOfSecret(storage: string, warn: (line: string) => void): void {
  if ((URL.parse(storage)?.password ?? '') === '') return;
  warn(
    t(
      'Other users of this machine see the secret in --storage while this command runs: leave KEY:SECRET out, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use ~/.aws/credentials.',
    ),
  );
}

async function readPassword(file: string): Promise<string> {
  const password = (await readText(file)).replace(/\r?\n$/, '');
  if (password === '')
    throw new Error(t('Expected a password in {file}, which is empty.', { file }));
  return password;
}
