interface LockEntry {
  engines?: unknown;
  gypfile?: boolean;
  hasInstallScript?: boolean;
  resolved?: string;
  link?: true;
  optionalDependencies?: Record<string, string>;
}

/** As far as it is read. */
export interface Lock {
  /** By their folders; the checkout itself is the empty string. */
  packages: Record<string, LockEntry>;
}

export function adaptLock(lock: Lock): void;
