import type { Lockfile } from './shipped-packages.mjs';

export interface SbomComponent {
  readonly 'bom-ref': string;
  readonly type: 'library' | 'application';
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly (
    | { readonly license: { readonly id: string } | { readonly name: string } }
    | { readonly expression: string }
  )[];
  readonly purl: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

export interface Sbom {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.6';
  readonly serialNumber: string;
  readonly version: 1;
  readonly metadata: { readonly component: SbomComponent };
  readonly components: readonly SbomComponent[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

export interface OwnManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

export function createSbom(lockfile: Lockfile, readManifest: (folder: string) => OwnManifest): Sbom;
