import { serveWork } from '../../core/threads/index.js';
import { parseKindConfig } from './parse-kind-config.js';
import { readKubeadmConfig } from './read-kubeadm-config.js';
import { cloneKindConfig, completeKindConfig } from './render-kind-config.js';

serveWork({ cloneKindConfig, completeKindConfig, parseKindConfig, readKubeadmConfig });
