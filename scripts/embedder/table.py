"""File format: `CTXDTAB1`, header length, header (JSON), words, scales (float32), rows (int8). Little endian."""

import hashlib
import json
import pathlib
import struct

import numpy as np


def quantised(vectors: np.ndarray):
    scales = np.maximum(np.abs(vectors).max(1) / 127, 1e-12).astype('<f4')
    return scales, np.clip(np.rint(vectors / scales[:, None]), -127, 127).astype(np.int8)


def write(file: pathlib.Path, model: str, words: list[str], vectors: np.ndarray, max_tokens: int):
    scales, rows = quantised(vectors)
    text = '\n'.join(words).encode()
    text += b'\n' * (-len(text) % 4)
    body = text + scales.tobytes() + rows.tobytes()
    header = {'model': model, 'dimension': vectors.shape[1], 'words': len(words), 'wordBytes': len(text),
              'mostTokens': max_tokens, 'sha256': hashlib.sha256(body).hexdigest()}
    about = json.dumps(header, separators=(',', ':')).encode()
    about += b' ' * (-len(about) % 4)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b'CTXDTAB1' + struct.pack('<I', len(about)) + about + body)
