import { useState } from 'preact/hooks';
import type { JSX } from 'preact';

/** Puts a text where it can be pasted from, where the browser lets it. */
export function CopyButton({ text }: { readonly text: string }): JSX.Element | null {
  const [isCopied, setCopied] = useState(false);
  // There is none on pages over plain HTTP from another machine.
  if (!window.isSecureContext) return null;
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), 2000);
      },
      () => undefined,
    );
  };
  return (
    <button type="button" class="text-button" onClick={copy}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}
