/** The settings with which a service manager runs Slipway. */
export interface ServiceOptions {
  /** Absolute path of the executable. */
  program: string;
  /** Variables that the service needs from the user's shell: PATH with the folders of kind and helm, and XDG folders. */
  environment: Readonly<Record<string, string>>;
}

/**
 * A unit for the user's own systemd (systemd.service(5), systemd.exec(5)).
 *
 * Sandboxing beyond these options implies NoNewPrivileges or a user namespace in a user's manager. Rootless Podman then
 * cannot start `newuidmap`, and no container.
 */
export function systemdUnit({ program, environment }: ServiceOptions): string {
  const variables = Object.entries(environment).map(
    ([name, value]) => `Environment=${quoted(`${name}=${value}`)}\n`,
  );
  return `# Written by: slipway service install
# Settings are in ~/.config/slipway/slipway.env. Logs: journalctl --user --unit=slipway
[Unit]
Description=Slipway: local Kubernetes clusters and their logs
# With wrong settings, it would restart forever.
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${quoted(program)} serve
${variables.join('')}Restart=on-failure
RestartSec=5
# Wrong usage, and a stop by a second signal. An orderly stop exits with 0, an error with 1 or 70.
RestartPreventExitStatus=2 130
TimeoutStopSec=30
# Slipway ends what it started. Containers of Podman in the same control group must survive.
KillMode=process
# A program that takes too much memory, such as helm, must not end Slipway.
OOMPolicy=continue
UMask=0077
# A core dump would contain keys.
LimitCORE=0

[Install]
WantedBy=default.target
`;
}

/** A value of a unit: in quotes, without specifiers (systemd.syntax(7)). Neither a program nor a variable expands `$`. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;
}

/** An agent for launchd of macOS (launchd.plist(5)). */
export function launchdAgent({ program, environment }: ServiceOptions): string {
  const variables = Object.entries(environment).map(
    ([name, value]) => `    <key>${escapedXml(name)}</key>\n    <string>${escapedXml(value)}</string>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Untested: written by slipway service install, but never run on macOS. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>slipway</string>
  <key>ProgramArguments</key>
  <array>
    <string>${escapedXml(program)}</string>
    <string>serve</string>
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('')}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>Umask</key>
  <integer>63</integer>
</dict>
</plist>
`;
}

function escapedXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
